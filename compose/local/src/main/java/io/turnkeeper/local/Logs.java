package io.turnkeeper.local;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Sends what the process logs into files of a directory, and only errors to the terminal. */
final class Logs {
  private static final String MAX_FILE_SIZE = "16MB";
  private static final int OLD_FILES = 4;

  private Logs() {}

  /** From here on the log goes to {@code file} in {@code directory}. */
  static void into(Path directory, String file) {
    bridge();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setName("FILE");
    appender.setFile(directory.resolve(file).toString());
    appender.setEncoder(encoder(context));
    appender.setTriggeringPolicy(bySize(context));
    appender.setRollingPolicy(window(context, appender, directory.resolve(file)));
    appender.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
  }

  // gRPC and others speak java.util.logging.
  private static void bridge() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private static PatternLayoutEncoder encoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(
        "%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level [%thread] %logger{36} - %msg %kvp%n");
    encoder.start();
    return encoder;
  }

  private static SizeBasedTriggeringPolicy<ILoggingEvent> bySize(LoggerContext context) {
    SizeBasedTriggeringPolicy<ILoggingEvent> policy = new SizeBasedTriggeringPolicy<>();
    policy.setContext(context);
    policy.setMaxFileSize(FileSize.valueOf(MAX_FILE_SIZE));
    policy.start();
    return policy;
  }

  private static FixedWindowRollingPolicy window(
      LoggerContext context, RollingFileAppender<ILoggingEvent> appender, Path file) {
    FixedWindowRollingPolicy policy = new FixedWindowRollingPolicy();
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(file + ".%i");
    policy.setMinIndex(1);
    policy.setMaxIndex(OLD_FILES);
    policy.start();
    return policy;
  }
}
