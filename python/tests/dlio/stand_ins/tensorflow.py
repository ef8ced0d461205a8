"""TensorFlow, which DLIO imports for a profiler that no workload of ours uses."""
