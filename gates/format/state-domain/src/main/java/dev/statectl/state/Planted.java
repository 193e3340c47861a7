package dev.statectl.state;

/** Planted: right for javac, not as the formatter writes it. */
final class Planted
{
    private Planted() { }
}
