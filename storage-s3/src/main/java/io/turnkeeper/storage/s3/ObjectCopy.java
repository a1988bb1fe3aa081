package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * A copy that the store makes by itself, so that no content comes here. No condition is asked for:
 * some stores ignore those on a copy. Whoever copies knows that nobody else gives the name.
 *
 * @param partBytes what one request copies at most; larger objects are copied in parts
 */
record ObjectCopy(S3Access access, S3Place place, String source, String name, long partBytes) {
  /** A store may take minutes for 5 GB, the most that one request can copy. */
  static final long PART = 1L << 30;

  /** To repeat it does no harm. */
  void copy() throws IOException {
    long bytes = stat(source).orElseThrow(() -> new NoSuchFileException(uri(source))).bytes();
    try {
      if (bytes <= partBytes) {
        copyWhole(bytes);
      } else {
        copyInParts(bytes);
      }
    } catch (SdkException e) {
      throw S3Errors.translated(uri(source), e);
    }
  }

  private void copyWhole(long bytes) {
    access
        .s3()
        .copyObject(
            request ->
                request
                    .sourceBucket(place.bucket())
                    .sourceKey(place.keyOf(source))
                    .destinationBucket(place.bucket())
                    .destinationKey(place.keyOf(name))
                    .overrideConfiguration(config -> access.bound(config, bytes)));
  }

  private void copyInParts(long bytes) throws IOException {
    String upload =
        access
            .s3()
            .createMultipartUpload(
                request ->
                    request
                        .bucket(place.bucket())
                        .key(place.keyOf(name))
                        .overrideConfiguration(config -> access.bound(config, 0)))
            .uploadId();
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (long from = 0; from < bytes; from += partBytes) {
        parts.add(copyPart(upload, parts.size() + 1, from, Math.min(bytes, from + partBytes)));
      }
      complete(upload, parts, bytes);
    } catch (SdkException | IOException e) {
      giveUp(upload, e);
      throw e;
    }
  }

  private CompletedPart copyPart(String upload, int number, long from, long to) {
    String tag =
        access
            .s3()
            .uploadPartCopy(
                request ->
                    request
                        .sourceBucket(place.bucket())
                        .sourceKey(place.keyOf(source))
                        .destinationBucket(place.bucket())
                        .destinationKey(place.keyOf(name))
                        .uploadId(upload)
                        .partNumber(number)
                        .copySourceRange("bytes=" + from + "-" + (to - 1))
                        .overrideConfiguration(config -> access.bound(config, to - from)))
            .copyPartResult()
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  private void complete(String upload, List<CompletedPart> parts, long bytes) throws IOException {
    try {
      access
          .s3()
          .completeMultipartUpload(
              request ->
                  request
                      .bucket(place.bucket())
                      .key(place.keyOf(name))
                      .uploadId(upload)
                      .multipartUpload(all -> all.parts(parts))
                      .overrideConfiguration(config -> access.bound(config, bytes)));
    } catch (SdkException e) {
      // An earlier try may have ended the upload, whose answer was lost.
      if (!S3Errors.isMissing(e) || stat(name).map(StoredFile::bytes).orElse(-1L) != bytes) {
        throw e;
      }
    }
  }

  private void giveUp(String upload, Exception cause) {
    try {
      access
          .s3()
          .abortMultipartUpload(
              request ->
                  request
                      .bucket(place.bucket())
                      .key(place.keyOf(name))
                      .uploadId(upload)
                      .overrideConfiguration(config -> access.bound(config, 0)));
    } catch (SdkException e) {
      cause.addSuppressed(e);
    }
  }

  private Optional<StoredFile> stat(String of) throws IOException {
    return ObjectReader.of(access, place, of).stat();
  }

  private String uri(String of) {
    return place.uri() + "/" + of;
  }
}
