package io.turnkeeper.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every test that docs/rules.md names exists, and every incident that is tested is listed there.
 */
class RulesDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("`([A-Za-z0-9]+)(?:\\.([A-Za-z0-9]+))?`");
  private static final Pattern TEST_CLASS = Pattern.compile("[A-Z]\\w*(?:Test|Properties|IT)");

  /** Settings have a hump or two, phrases have more. */
  private static final Pattern PHRASE = Pattern.compile("[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*){4,}");

  private static final Pattern METHOD = Pattern.compile("void (\\w+)\\(");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, List<String>> methods = methodsByClass();
    List<String> all = methods.values().stream().flatMap(List::stream).toList();
    List<String> missing =
        CODE.matcher(text())
            .results()
            .filter(
                code -> {
                  String first = code.group(1);
                  String second = code.group(2);
                  if (TEST_CLASS.matcher(first).matches()) {
                    List<String> known = methods.get(first);
                    return known == null || (second != null && !known.contains(second));
                  }
                  return second == null && PHRASE.matcher(first).matches() && !all.contains(first);
                })
            .map(code -> code.group())
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void everyIncidentThatIsTestedIsListed() throws IOException {
    String text = text();
    List<String> unlisted =
        methodsByClass().values().stream()
            .flatMap(List::stream)
            .filter(method -> method.startsWith("immuneTo") && !text.contains(method + "`"))
            .toList();
    assertThat(unlisted).isEmpty();
  }

  private static String text() throws IOException {
    return Files.readString(ROOT.resolve("docs/rules.md"));
  }

  /** The test methods of every module, by the name of their class. */
  private static Map<String, List<String>> methodsByClass() throws IOException {
    Map<String, List<String>> methods = new TreeMap<>();
    for (Path file : new TreeSet<>(testFiles())) {
      Matcher found = METHOD.matcher(Files.readString(file));
      String name = file.getFileName().toString().replace(".java", "");
      methods.put(name, found.results().map(each -> each.group(1)).toList());
    }
    return methods;
  }

  private static List<Path> testFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path parent : List.of(ROOT, ROOT.resolve("compose"))) {
      try (DirectoryStream<Path> modules = Files.newDirectoryStream(parent)) {
        for (Path module : modules) {
          Path tests = module.resolve("src/test/java");
          if (Files.isDirectory(tests)) {
            try (Stream<Path> found = Files.walk(tests)) {
              found.filter(path -> path.toString().endsWith(".java")).forEach(files::add);
            }
          }
        }
      }
    }
    return files;
  }
}
