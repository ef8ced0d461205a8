not ORC either
