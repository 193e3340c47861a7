package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SettingTest {
  @Test
  void namesAreThoseOfMeltano() {
    assertThat(
            Arrays.stream(Setting.values())
                .map(
                    each ->
                        "%s %s %s %s %s"
                            .formatted(
                                each.key(),
                                each.variable(),
                                each.flag(),
                                each.defaultValue(),
                                each.secret())))
        .containsExactly(
            "environment MELTANO_ENVIRONMENT --environment null false",
            "state_backend.uri MELTANO_STATE_BACKEND_URI --uri null true",
            "state_backend.clickhouse.host MELTANO_STATE_BACKEND_CLICKHOUSE_HOST --host localhost"
                + " false",
            "state_backend.clickhouse.port MELTANO_STATE_BACKEND_CLICKHOUSE_PORT --port null false",
            "state_backend.clickhouse.hosts MELTANO_STATE_BACKEND_CLICKHOUSE_HOSTS --hosts null"
                + " false",
            "state_backend.clickhouse.database MELTANO_STATE_BACKEND_CLICKHOUSE_DATABASE"
                + " --database null false",
            "state_backend.clickhouse.user MELTANO_STATE_BACKEND_CLICKHOUSE_USER --user null false",
            "state_backend.clickhouse.password MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD"
                + " --password-file  true",
            "state_backend.clickhouse.secure MELTANO_STATE_BACKEND_CLICKHOUSE_SECURE --secure false"
                + " false",
            "state_backend.clickhouse.verify MELTANO_STATE_BACKEND_CLICKHOUSE_VERIFY --verify full"
                + " false",
            "state_backend.clickhouse.ca_cert MELTANO_STATE_BACKEND_CLICKHOUSE_CA_CERT --ca-cert"
                + " null false",
            "state_backend.clickhouse.client_cert MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT"
                + " --client-cert null false",
            "state_backend.clickhouse.client_cert_key"
                + " MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT_KEY --client-cert-key null true",
            "state_backend.clickhouse.schema MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA --schema"
                + " meltano false",
            "state_backend.clickhouse.table MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE --table state"
                + " false",
            "state_backend.clickhouse.cluster MELTANO_STATE_BACKEND_CLICKHOUSE_CLUSTER --cluster"
                + " null false",
            "state_backend.clickhouse.replicated MELTANO_STATE_BACKEND_CLICKHOUSE_REPLICATED"
                + " --replicated auto false",
            "state_backend.clickhouse.consistency MELTANO_STATE_BACKEND_CLICKHOUSE_CONSISTENCY"
                + " --consistency auto false",
            "state_backend.clickhouse.connect_timeout"
                + " MELTANO_STATE_BACKEND_CLICKHOUSE_CONNECT_TIMEOUT --connect-timeout 60 false",
            "state_backend.clickhouse.request_timeout"
                + " MELTANO_STATE_BACKEND_CLICKHOUSE_REQUEST_TIMEOUT --request-timeout 30 false",
            "state_backend.clickhouse.lock_mode MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_MODE"
                + " --lock-mode auto false",
            "state_backend.clickhouse.lock_peers MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_PEERS"
                + " --lock-peers plugin false",
            "state_backend.clickhouse.lock_timeout MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_TIMEOUT"
                + " --lock-timeout 30 false",
            "state_backend.clickhouse.lock_stale MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_STALE"
                + " --lock-stale 300 false",
            "state_backend.clickhouse.max_state_bytes"
                + " MELTANO_STATE_BACKEND_CLICKHOUSE_MAX_STATE_BYTES --max-state-bytes 67108864"
                + " false");
  }
}
