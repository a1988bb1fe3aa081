package io.turnkeeper.streams;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one store that this instance decides on. A task that gives its partition up
 * waits for whoever reads it: a committed read of a RocksDB store that is closed meanwhile would
 * take the process with it.
 */
final class OpenStores {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final SortedSet<Integer> open = new TreeSet<>();

  void opened(int partition) {
    change(() -> open.add(partition));
  }

  void closing(int partition) {
    change(() -> open.remove(partition));
  }

  private void change(Runnable change) {
    lock.writeLock().lock();
    try {
      change.run();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The partitions that can be read now. */
  SortedSet<Integer> partitions() {
    lock.readLock().lock();
    try {
      return Collections.unmodifiableSortedSet(new TreeSet<>(open));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Reads while no partition is given up.
   *
   * @param read told which partitions are open; must be short, since tasks may wait for it
   * @throws NotHereException if some partition is being given up or taken over for too long
   */
  <T> @Nullable T read(long limitMillis, Reading<T> read) throws NotHereException {
    try {
      if (!lock.readLock().tryLock(limitMillis, TimeUnit.MILLISECONDS)) {
        throw new NotHereException("partitions are changing hands");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotHereException("interrupted");
    }
    try {
      return read.of(open);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** What is read under the lock. */
  interface Reading<T> {
    @Nullable T of(SortedSet<Integer> partitions) throws NotHereException;
  }
}
