/**
 * Lossless JSON: documents that are read, checked and merged while every part that was not changed
 * keeps its bytes.
 */
@NullMarked
package dev.statectl.json;

import org.jspecify.annotations.NullMarked;
