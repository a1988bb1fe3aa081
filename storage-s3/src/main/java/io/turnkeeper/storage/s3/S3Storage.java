package io.turnkeeper.storage.s3;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.Listing;
import io.turnkeeper.events.storage.Moved;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects of a bucket whose keys begin with one root. A name is taken by one put with {@code
 * If-None-Match: *}; nothing rests on conditional copies or on {@code If-Match}, which some stores
 * accept and ignore. Drafts are kept on this machine until they are published.
 */
final class S3Storage implements Storage {
  /** What one request can delete. */
  private static final int MAX_DELETES = 1_000;

  private static final String NO_SUCH_KEY = "NoSuchKey";

  private final S3Access access;
  private final S3Place place;
  private final ConditionalPut puts;

  S3Storage(S3Access access, S3Place place) {
    this.access = access;
    this.place = place;
    this.puts = new ConditionalPut(access, place);
  }

  @Override
  public String location() {
    return place.uri();
  }

  @Override
  public String key() {
    return place.key();
  }

  @Override
  public Map<String, String> lanceOptions() throws IOException {
    return access.lanceOptions();
  }

  @Override
  public Optional<Moved> moved() {
    return access.moved();
  }

  @Override
  public Listing list(String folder) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    List<String> folders = new ArrayList<>();
    pages(
        folder,
        "/",
        page -> {
          page.contents().stream()
              // Some tools put an empty object where a folder is.
              .filter(object -> !object.key().endsWith("/"))
              .forEach(object -> files.add(stored(object)));
          page.commonPrefixes().stream()
              .map(CommonPrefix::prefix)
              .forEach(prefix -> folders.add(place.nameOf(prefix)));
        });
    return new Listing(files, folders);
  }

  private StoredFile stored(S3Object object) {
    return new StoredFile(
        place.nameOf(object.key()), object.size(), object.lastModified().toEpochMilli());
  }

  /** What may go wrong with a page goes wrong outside. */
  private interface PageReader {
    void read(ListObjectsV2Response page) throws IOException;
  }

  private void pages(String folder, String delimiter, PageReader reader) throws IOException {
    @Nullable String token = null;
    do {
      ListObjectsV2Response page = page(folder, delimiter, token);
      reader.read(page);
      token = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
    } while (token != null);
  }

  private ListObjectsV2Response page(String folder, String delimiter, @Nullable String token)
      throws IOException {
    Consumer<ListObjectsV2Request.Builder> request =
        list ->
            list.bucket(place.bucket())
                .prefix(place.keyOf(folder))
                .delimiter(delimiter)
                // Not every character of a key can be written in XML.
                .encodingType(EncodingType.URL)
                .maxKeys(access.pageSize())
                .continuationToken(token)
                .overrideConfiguration(config -> access.bound(config, 0));
    try {
      return access.s3().listObjectsV2(request);
    } catch (SdkException e) {
      throw S3Errors.translated(place.uri() + "/" + folder, e);
    }
  }

  @Override
  public Optional<StoredFile> stat(String name) throws IOException {
    return ObjectReader.of(access, place, name).stat();
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    return ObjectChannel.open(ObjectReader.of(access, place, name));
  }

  @Override
  public Draft draft(String name) throws IOException {
    return new SpooledDraft(puts, name);
  }

  @Override
  public boolean createIfAbsent(String name, byte[] content) throws IOException {
    return puts.put(name, content, ConditionalPut.newToken());
  }

  /** Through this machine: stores differ in what they make of a condition on a copy. */
  @Override
  public boolean copyIfAbsent(String source, String name) throws IOException {
    try (SeekableByteChannel from = read(source);
        SpooledDraft draft = new SpooledDraft(puts, name)) {
      draft.fill(from);
      return draft.publish();
    }
  }

  @Override
  public boolean copyIfAbsent(String source, String name, byte[] content) throws IOException {
    return createIfAbsent(name, content);
  }

  @Override
  public void copyNew(String source, String name) throws IOException {
    new ObjectCopy(access, place, source, name, ObjectCopy.PART).copy();
  }

  /** Also an answer that refuses has a date. */
  @Override
  public Optional<Duration> clockAhead() throws IOException {
    SdkHttpResponse answer = anyAnswer();
    Instant now = Instant.now();
    return answer
        .firstMatchingHeader("Date")
        .map(date -> Duration.between(Instant.from(RFC_1123_DATE_TIME.parse(date)), now));
  }

  private SdkHttpResponse anyAnswer() throws IOException {
    try {
      return access
          .s3()
          .listObjectsV2(
              request ->
                  request
                      .bucket(place.bucket())
                      .prefix(place.keyOf(""))
                      .maxKeys(1)
                      .overrideConfiguration(config -> access.bound(config, 0)))
          .sdkHttpResponse();
    } catch (AwsServiceException e) {
      if (e.awsErrorDetails() != null
          && e.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("Date").isPresent()) {
        return e.awsErrorDetails().sdkHttpResponse();
      }
      throw S3Errors.translated(place.uri(), e);
    } catch (SdkException e) {
      throw S3Errors.translated(place.uri(), e);
    }
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    List<String> all = List.copyOf(names);
    for (int i = 0; i < all.size(); i += MAX_DELETES) {
      deleteBatch(all.subList(i, Math.min(i + MAX_DELETES, all.size())));
    }
  }

  private void deleteBatch(List<String> names) throws IOException {
    Delete batch =
        Delete.builder()
            .quiet(true)
            .objects(
                names.stream()
                    .map(name -> ObjectIdentifier.builder().key(place.keyOf(name)).build())
                    .toList())
            .build();
    List<S3Error> errors;
    try {
      errors =
          access
              .s3()
              .deleteObjects(
                  request ->
                      request
                          .bucket(place.bucket())
                          .delete(batch)
                          .overrideConfiguration(config -> access.bound(config, 0)))
              .errors();
    } catch (SdkException e) {
      throw S3Errors.translated(place.uri(), e);
    }
    for (S3Error error : errors) {
      if (!NO_SUCH_KEY.equals(error.code())) {
        throw S3Errors.refused("delete of " + error.key(), String.valueOf(error.code()));
      }
    }
  }

  @Override
  public void deleteFolder(String folder) throws IOException {
    pages(
        folder,
        "",
        page ->
            delete(page.contents().stream().map(object -> place.nameOf(object.key())).toList()));
  }

  @Override
  public String toString() {
    return location();
  }
}
