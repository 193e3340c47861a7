package dev.statectl.usecase;

class InMemoryMoveStateTest extends MoveStateFacts {
  InMemoryMoveStateTest() {
    super(Place.IN_MEMORY);
  }
}
