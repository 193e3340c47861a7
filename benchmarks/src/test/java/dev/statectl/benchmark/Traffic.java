package dev.statectl.benchmark;

/**
 * What went over the wire for one operation.
 *
 * @param requests how many requests
 * @param bytesSent their bytes, heads included
 * @param bytesReceived the bytes of their answers, heads included
 */
record Traffic(double requests, double bytesSent, double bytesReceived) {
  static Traffic of(Iterable<RecordedRequest> requests) {
    Traffic sum = new Traffic(0, 0, 0);
    for (RecordedRequest request : requests) {
      sum = sum.plus(new Traffic(1, request.bytesSent(), request.bytesReceived()));
    }
    return sum;
  }

  Traffic plus(Traffic other) {
    return new Traffic(
        requests + other.requests,
        bytesSent + other.bytesSent,
        bytesReceived + other.bytesReceived);
  }

  Traffic times(double factor) {
    return new Traffic(requests * factor, bytesSent * factor, bytesReceived * factor);
  }
}
