package dev.statectl.usecase;

class InMemoryCopyStateTest extends CopyStateFacts {
  InMemoryCopyStateTest() {
    super(Place.IN_MEMORY);
  }
}
