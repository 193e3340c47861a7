package dev.statectl.clickhouse.engine;

import com.sun.jna.Library;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of libchdb, as far as it is used here.
 *
 * @see <a href="https://github.com/chdb-io/chdb-core/blob/main/programs/local/chdb.h">chdb.h</a>
 */
interface Chdb extends Library {
  @Nullable Pointer chdb_connect(int argc, String[] argv);

  void chdb_close_conn(Pointer connection);

  Pointer chdb_query_n(
      Pointer connection, byte[] sql, NativeLong length, byte[] format, NativeLong formatLength);

  @Nullable String chdb_result_error(Pointer result);

  Pointer chdb_result_buffer(Pointer result);

  NativeLong chdb_result_length(Pointer result);

  long chdb_result_rows_read(Pointer result);

  long chdb_result_bytes_read(Pointer result);

  long chdb_result_storage_rows_read(Pointer result);

  long chdb_result_storage_bytes_read(Pointer result);

  long chdb_result_rows_written(Pointer result);

  long chdb_result_bytes_written(Pointer result);

  void chdb_destroy_query_result(Pointer result);
}
