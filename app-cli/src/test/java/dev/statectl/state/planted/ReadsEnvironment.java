package dev.statectl.state.planted;

import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.Locale;

/** Planted: what differs from one machine to the next. */
final class ReadsEnvironment {
  String variable() {
    return System.getenv("HOME");
  }

  String property() {
    return System.getProperty("user.dir");
  }

  Charset charset() {
    return Charset.defaultCharset();
  }

  ZoneId zone() {
    return ZoneId.systemDefault();
  }

  Locale locale() {
    return Locale.getDefault();
  }
}
