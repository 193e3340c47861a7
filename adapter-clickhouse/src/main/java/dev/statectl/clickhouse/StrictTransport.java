package dev.statectl.clickhouse;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.ClientException;
import com.clickhouse.client.api.internal.HttpAPIClientHelper;
import com.clickhouse.client.api.transport.internal.TransportRequest;
import com.clickhouse.client.api.transport.internal.TransportResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.Callable;
import net.jpountz.lz4.LZ4Factory;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends the driver's requests as we want them, which no property of the driver does: each once, to
 * the server that its {@link Exchange} names and no other place, and for no longer than that lasts.
 * The driver's HTTP client by itself sends a request again after an answer of status 429 or 503,
 * follows redirects with the credentials, and takes a page of status 200 for a write that was done.
 * Thread-safe.
 *
 * @see <a
 *     href="https://hc.apache.org/httpcomponents-client-5.4.x/current/httpclient5/apidocs/org/apache/hc/client5/http/impl/DefaultHttpRequestRetryStrategy.html">what
 *     the HTTP client repeats</a>
 */
final class StrictTransport extends HttpAPIClientHelper {
  private final ThreadLocal<@Nullable Exchange> current = new ThreadLocal<>();

  private StrictTransport(Map<String, Object> configuration, boolean secure, LZ4Factory lz4) {
    super(configuration, null, secure, lz4);
  }

  /**
   * Takes the place of the driver's own transport in a client that has sent nothing yet.
   *
   * @throws ReflectiveOperationException when the driver is of a version that is made otherwise; so
   *     may be a {@link RuntimeException} and a {@link LinkageError}
   */
  @SuppressWarnings("unchecked")
  static StrictTransport installIn(Client client, boolean secure)
      throws ReflectiveOperationException {
    // Else the method below would override nothing, and nobody would call it.
    HttpAPIClientHelper.class.getDeclaredMethod("executeRequest", TransportRequest.class);
    Field place = field("httpClientHelper");
    StrictTransport strict =
        new StrictTransport(
            (Map<String, Object>) field("configuration").get(client),
            secure,
            (LZ4Factory) field("lz4Factory").get(client));
    HttpAPIClientHelper replaced = (HttpAPIClientHelper) place.get(client);
    place.set(client, strict);
    replaced.close();
    return strict;
  }

  private static Field field(String name) throws NoSuchFieldException {
    Field field = Client.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Runs what makes the driver send a request or read its answer, as a step of the exchange. */
  <T> T during(Exchange exchange, Callable<T> work) throws Exception {
    current.set(exchange);
    try {
      return exchange.step(work);
    } finally {
      current.remove();
    }
  }

  @Override
  // The client has no other way to limit connecting for one request alone.
  @SuppressWarnings("deprecation")
  public TransportResponse executeRequest(TransportRequest request) throws Exception {
    Exchange exchange = current.get();
    HttpPost post = request.getDelegate();
    RequestConfig.Builder config =
        RequestConfig.copy(post.getConfig() == null ? RequestConfig.DEFAULT : post.getConfig())
            .setRedirectsEnabled(false);
    if (exchange != null) {
      Timeout connecting = Timeout.of(exchange.connectTimeout());
      config
          .setConnectTimeout(connecting)
          .setConnectionRequestTimeout(connecting)
          .setResponseTimeout(Timeout.of(exchange.silence()));
      address(post, exchange);
      exchange.begins(post);
    }
    post.setConfig(config.build());
    post.setEntity(new Once(post.getEntity(), exchange));
    TransportResponse response = super.executeRequest(request);
    // The driver takes any answer of status 200 for that of a statement without rows.
    if (response.getHeaders().isEmpty()) {
      response.close();
      throw new ClientException("an answer without a header of ClickHouse");
    }
    return response;
  }

  /** The driver knows one server only, and of settings those that go with every statement. */
  private static void address(HttpPost post, Exchange exchange) {
    ServerAddress server = exchange.server();
    post.setAuthority(new URIAuthority(server.host().replaceAll("[\\[\\]]", ""), server.port()));
    StringBuilder path = new StringBuilder(post.getPath());
    exchange
        .settings()
        .forEach(
            (name, value) ->
                path.append(path.indexOf("?") < 0 ? '?' : '&')
                    .append(name)
                    .append('=')
                    .append(value));
    post.setPath(path.toString());
  }

  /**
   * A body that says that it cannot be sent again, and tells when it is sent. What the exchange has
   * behind its statement follows as it is made.
   */
  private static final class Once extends HttpEntityWrapper {
    private final @Nullable Exchange exchange;
    private final @Nullable Rows rows;

    Once(HttpEntity body, @Nullable Exchange exchange) {
      super(body);
      this.exchange = exchange;
      this.rows = exchange == null ? null : exchange.rows();
    }

    @Override
    public long getContentLength() {
      return rows == null ? super.getContentLength() : -1;
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      if (exchange != null) {
        exchange.sending();
      }
      super.writeTo(out);
      if (rows != null) {
        rows.writeTo(out);
      }
    }
  }
}
