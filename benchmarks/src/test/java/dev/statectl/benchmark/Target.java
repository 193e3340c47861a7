package dev.statectl.benchmark;

import java.math.BigDecimal;

/**
 * What is wanted of a measure.
 *
 * @param limit the worst value that is wanted
 * @param direction whether the measure may be smaller or larger
 */
record Target(double limit, Direction direction) {
  /** On which side of its limit a measure is good. */
  enum Direction {
    AT_MOST("≤"),
    AT_LEAST("≥");

    private final String sign;

    Direction(String sign) {
      this.sign = sign;
    }
  }

  static Target atMost(double limit) {
    return new Target(limit, Direction.AT_MOST);
  }

  static Target atLeast(double limit) {
    return new Target(limit, Direction.AT_LEAST);
  }

  boolean isMet(double measured) {
    return direction == Direction.AT_MOST ? measured <= limit : measured >= limit;
  }

  String shown() {
    return direction.sign + " " + BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
  }
}
