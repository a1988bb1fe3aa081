package io.turnkeeper.worker;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class logs, until it is closed. */
final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  static LogLines of(Class<?> type) {
    LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(type));
    lines.appender.start();
    lines.logger.addAppender(lines.appender);
    return lines;
  }

  List<String> lines() {
    return List.copyOf(appender.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
