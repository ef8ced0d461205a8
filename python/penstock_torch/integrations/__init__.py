"""What some trainers need besides a Loader. Each module imports its own trainer alone."""
