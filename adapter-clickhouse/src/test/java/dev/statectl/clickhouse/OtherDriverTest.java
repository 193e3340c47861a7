package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees that brings a driver of another version, which is made otherwise. */
class OtherDriverTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.clickhouse.client.api.transport.internal.TransportRequest",
        "com.clickhouse.client.api.internal.HttpAPIClientHelper"
      })
  void itIsToldWhichVersionToUse(String missing) throws Exception {
    Class<?> settingsType =
        Class.forName(ClickHouseSettings.class.getName(), true, without(missing));
    Object settings =
        settingsType
            .getMethod(
                "of",
                String.class,
                int.class,
                boolean.class,
                String.class,
                String.class,
                String.class)
            .invoke(null, "127.0.0.1", 1, false, "default", "etl", "marker");
    Method open =
        Class.forName(ClickHouseBackend.class.getName(), true, settingsType.getClassLoader())
            .getMethod("open", settingsType);
    assertThatThrownBy(() -> open.invoke(null, settings))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "statectl cannot work with this version of com.clickhouse:clickhouse-jdbc: use the one"
                + " that dev.statectl:adapter-clickhouse %s depends on, and client-v2 of the same"
                + " version",
            ClickHouseConnection.version());
  }

  /** Loads ours and the driver's classes anew, but for one. */
  private static ClassLoader without(String missing) {
    return new ClassLoader(OtherDriverTest.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
          if (name.equals(missing)) {
            throw new ClassNotFoundException(name);
          }
          if (!name.startsWith("dev.statectl.clickhouse.")
              && !name.startsWith("com.clickhouse.client.api.")
              && !name.startsWith("com.clickhouse.jdbc.")) {
            return super.loadClass(name, resolve);
          }
          Class<?> loaded = findLoadedClass(name);
          return loaded == null ? define(name) : loaded;
        }
      }

      private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new ClassNotFoundException(name);
          }
          byte[] bytes = in.readAllBytes();
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    };
  }
}
