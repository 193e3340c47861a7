package dev.statectl.usecase;

class InMemoryMergeStateTest extends MergeStateFacts {
  InMemoryMergeStateTest() {
    super(Place.IN_MEMORY);
  }
}
