package io.turnkeeper.streams;

import java.util.Map;

/** The input topics of one half, as the brokers have them. */
interface InputLog {
  /** Nothing was ever written, as far as this one knows. */
  InputLog EMPTY =
      new InputLog() {
        @Override
        public Map<String, Extent> of(int partition) {
          return Map.of();
        }

        @Override
        public long begin(String topic, int partition) {
          return 0;
        }
      };

  /**
   * What there is of one partition of a topic.
   *
   * @param begin the oldest offset that is there
   * @param end the offset after the newest
   * @param committed what the group reads next, 0 before it has read anything
   * @param topicId one that was deleted and made anew has another
   */
  record Extent(long begin, long end, long committed, String topicId) {}

  /** One partition of every input topic. */
  Map<String, Extent> of(int partition);

  /** The oldest offset that is there. */
  long begin(String topic, int partition);
}
