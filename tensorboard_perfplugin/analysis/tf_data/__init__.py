"""tf.data's iterators, pipelines, calls and threads, and what each call waited for."""
