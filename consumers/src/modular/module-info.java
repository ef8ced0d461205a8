module consumer {
  requires dev.penstock;
}
