package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.cli.settings.EffectiveSetting;
import dev.statectl.cli.settings.Origin;
import dev.statectl.cli.settings.SettingsProblem;
import dev.statectl.cli.settings.SettingsReport;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the settings with their origins: as a table, or as a JSON object. */
final class SettingsPrinter {
  private static final String NONE = "-";

  private final DataOutput out;

  SettingsPrinter(DataOutput out) {
    this.out = out;
  }

  void printTable(SettingsReport report) {
    int nameWidth = "SETTING".length();
    int valueWidth = "VALUE".length();
    for (EffectiveSetting each : report.settings()) {
      nameWidth = Math.max(nameWidth, width(each.setting().key()));
      valueWidth = Math.max(valueWidth, width(value(each)));
    }
    line("SETTING", nameWidth, "VALUE", valueWidth, "FROM");
    for (EffectiveSetting each : report.settings()) {
      line(each.setting().key(), nameWidth, value(each), valueWidth, from(each));
    }
  }

  private void line(String name, int nameWidth, String value, int valueWidth, String from) {
    out.line(padded(name, nameWidth) + "  " + padded(value, valueWidth) + "  " + from);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - width(text));
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String value(EffectiveSetting setting) {
    String shown = setting.shown();
    if (shown == null) {
      return NONE;
    }
    return shown.isEmpty() ? "''" : PrintableText.escaped(shown);
  }

  private static String from(EffectiveSetting setting) {
    String over =
        setting.overridden().stream().map(SettingsPrinter::place).collect(Collectors.joining(", "));
    return place(setting.origin()) + (over.isEmpty() ? "" : "; overrides " + over);
  }

  private static String place(Origin origin) {
    return PrintableText.escaped(
        origin.layer() == Origin.Layer.URI ? "the URI of " + origin.place() : origin.place());
  }

  void printJson(SettingsReport report) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("settings");
      for (EffectiveSetting each : report.settings()) {
        json.writeStartObject();
        json.writeStringField("setting", each.setting().key());
        writeText(json, "value", each.shown());
        json.writeObjectFieldStart("origin");
        writeOrigin(json, each.origin());
        json.writeArrayFieldStart("overrides");
        for (Origin origin : each.overridden()) {
          json.writeStartObject();
          writeOrigin(json, origin);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("problems");
      for (SettingsProblem each : report.problems()) {
        json.writeStartObject();
        json.writeStringField("where", each.where());
        json.writeStringField("what", each.what());
        json.writeStringField("remedy", each.remedy());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("notices");
      for (String each : report.notices()) {
        json.writeString(each);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.line(text.toString());
  }

  private static void writeOrigin(JsonGenerator json, Origin origin) throws IOException {
    json.writeStringField("layer", origin.layer().name().toLowerCase(Locale.ROOT));
    json.writeStringField("place", origin.place());
    json.writeEndObject();
  }

  private static void writeText(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, text);
    }
  }
}
