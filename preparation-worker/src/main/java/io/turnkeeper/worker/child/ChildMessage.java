package io.turnkeeper.worker.child;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the process of a preparation says to the worker that started it. */
sealed interface ChildMessage {
  <R> R match(Cases<R> cases) throws WorkFailedException, IOException;

  /** One method for each message. */
  interface Cases<R> {
    R idle(Idle message);

    R planned(Planned message);

    R step(Step message);

    R prepared(Prepared message) throws IOException;

    R nothing(Nothing message);

    R failed(Failed message) throws WorkFailedException;
  }

  /** Writes the message behind the byte that tells it apart. */
  void write(DataOutputStream out) throws IOException;

  /** Reads the next message. */
  static ChildMessage read(DataInputStream in) throws IOException {
    byte tag = in.readByte();
    return switch (tag) {
      case Idle.TAG -> new Idle();
      case Planned.TAG -> Planned.read(in);
      case Step.TAG -> new Step(in.readLong(), in.readLong(), in.readLong(), in.readUTF());
      case Prepared.TAG -> new Prepared(in.readUTF());
      case Nothing.TAG -> new Nothing(in.readLong(), in.readUTF());
      case Failed.TAG -> Failed.read(in);
      default -> throw new IOException("expected a message, but it begins with " + tag);
    };
  }

  /** It is started and waits for an order. */
  record Idle() implements ChildMessage {
    static final byte TAG = 1;

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.idle(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
    }
  }

  /** A version is pinned and what is read of it is chosen. */
  record Planned(long readVersion, List<Long> fragments) implements ChildMessage {
    static final byte TAG = 2;

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.planned(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
      out.writeLong(readVersion);
      out.writeInt(fragments.size());
      for (Long fragment : fragments) {
        out.writeLong(fragment);
      }
    }

    static Planned read(DataInputStream in) throws IOException {
      long version = in.readLong();
      int count = in.readInt();
      List<Long> fragments = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        fragments.add(in.readLong());
      }
      return new Planned(version, List.copyOf(fragments));
    }
  }

  /** So much more is complete. */
  record Step(long bytesRead, long bytesWritten, long rows, String step) implements ChildMessage {
    static final byte TAG = 3;

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.step(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
      out.writeLong(bytesRead);
      out.writeLong(bytesWritten);
      out.writeLong(rows);
      out.writeUTF(step);
    }
  }

  /** The preparation is complete; it is described in a file. */
  record Prepared(String descriptor) implements ChildMessage {
    static final byte TAG = 4;

    @Override
    public <R> R match(Cases<R> cases) throws IOException {
      return cases.prepared(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
      out.writeUTF(descriptor);
    }
  }

  /** There is nothing to do at that version. */
  record Nothing(long version, String reason) implements ChildMessage {
    static final byte TAG = 5;

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nothing(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
      out.writeLong(version);
      out.writeUTF(reason);
    }
  }

  /** The preparation failed and left nothing. */
  record Failed(FailureCode code, String message, @Nullable BadGeneration badGeneration)
      implements ChildMessage {
    static final byte TAG = 6;

    static Failed of(WorkFailedException e) {
      return new Failed(e.code(), Require.shortened(e.reason()), e.badGeneration());
    }

    @Override
    public <R> R match(Cases<R> cases) throws WorkFailedException {
      return cases.failed(this);
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeByte(TAG);
      out.writeUTF(code.name());
      out.writeUTF(message);
      out.writeBoolean(badGeneration != null);
      if (badGeneration != null) {
        out.writeUTF(badGeneration.shard().value());
        out.writeLong(badGeneration.generation());
      }
    }

    static Failed read(DataInputStream in) throws IOException {
      FailureCode code = FailureCode.valueOf(in.readUTF());
      String message = in.readUTF();
      BadGeneration bad =
          in.readBoolean() ? new BadGeneration(new ShardId(in.readUTF()), in.readLong()) : null;
      return new Failed(code, message, bad);
    }
  }
}
