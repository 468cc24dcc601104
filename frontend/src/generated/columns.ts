// Made by frontend/make_columns.py from the tools' declarations, by `make build`. Types only: nothing
// of it is in the bundle.

/** Tool → its options, what its summary holds, and its tables with their columns. */
export interface Declared {
  overview: {
    options: "steps_from" | "split_of";
    summary:
      | "host_count"
      | "device_count"
      | "device_type"
      | "framework"
      | "start_ms"
      | "span_ms"
      | "step_count"
      | "step_time_ms"
      | "step_time_median_ms"
      | "step_time_p95_ms"
      | "step_time_sd_ms"
      | "step_time_min_ms"
      | "step_time_max_ms"
      | "slow_step_count"
      | "step_time_typical_ms"
      | "step_span_ms"
      | "steps_per_second"
      | "steps_not_counted"
      | "split_steps"
      | "step_rule"
      | "step_rule_title"
      | "step_confidence"
      | "step_evidence"
      | "by_time_share"
      | "unassigned_share"
      | "device_outside_steps_ms"
      | "outside_steps_share"
      | "device_busy_ms"
      | "device_idle_ms"
      | "device_idle_share"
      | "host_op_ms"
      | "host_op_share"
      | "device_op_count"
      | "host_op_count"
      | "device_op_self_ms"
      | "host_op_self_ms"
      | "device_eager_share"
      | "host_eager_share"
      | "device_wait_share"
      | "host_wait_share"
      | "compute_8bit_share"
      | "compute_16bit_share"
      | "compute_tf32_share"
      | "compute_32bit_share"
      | "compute_64bit_share"
      | "compute_other_share"
      | "flop_utilization_share"
      | "bandwidth_utilization_share"
      | "mxu_utilization_share"
      | "hbm_utilization_share"
      | "duty_cycle_share"
      | "infeed_mean_share"
      | "infeed_min_share"
      | "infeed_max_share"
      | "outfeed_share"
      | "matrix_op_share"
      | "step_idle_share"
      | "launch_count"
      | "device_event_count";
    tables: {
      steps:
        | "step"
        | "name"
        | "start_ms"
        | "duration_ms"
        | "span_ms"
        | "cut"
        | "pace"
        | "compute_8bit_ms"
        | "compute_16bit_ms"
        | "compute_tf32_ms"
        | "compute_32bit_ms"
        | "compute_64bit_ms"
        | "compute_other_ms"
        | "op_compute_ms"
        | "collective_ms"
        | "copy_device_ms"
        | "copy_in_ms"
        | "copy_out_ms"
        | "input_wait_ms"
        | "compilation_ms"
        | "output_ms"
        | "launch_ms"
        | "host_compute_ms"
        | "runtime_ms"
        | "waiting_ms"
        | "python_ms"
        | "idle_ms";
      split:
        | "category"
        | "title"
        | "group"
        | "step_ms"
        | "share"
        | "overlapped_ms"
        | "total_ms"
        | "longest_start_ms"
        | "longest_ms"
        | "help";
      hosts:
        | "host"
        | "start_ms"
        | "span_ms"
        | "threads"
        | "devices"
        | "events_in_file"
        | "events_kept"
        | "op_ms"
        | "op_count"
        | "op_self_ms";
      devices:
        | "host"
        | "device"
        | "model"
        | "architecture"
        | "streams"
        | "events"
        | "busy_ms"
        | "idle_ms"
        | "idle_share"
        | "core_count"
        | "clock_mhz"
        | "memory_bytes"
        | "bandwidth_gb_s"
        | "peak_tflops"
        | "figures_from"
        | "part_of";
      device_ops:
        | "name"
        | "type"
        | "module"
        | "occurrences"
        | "self_ms"
        | "self_share"
        | "cumulative_share"
        | "eager_share"
        | "wait_share";
      host_ops:
        | "name"
        | "type"
        | "module"
        | "occurrences"
        | "self_ms"
        | "self_share"
        | "cumulative_share"
        | "eager_share"
        | "wait_share";
      programs: "program" | "occurrences" | "total_ms" | "mean_ms" | "share";
      python_functions: "function" | "own_ms" | "own_share" | "cumulative_ms" | "calls" | "waits";
      environment: "key" | "value";
      activity:
        | "start_ms"
        | "duration_ms"
        | "device_busy_share"
        | "device_wait_share"
        | "host_op_threads"
        | "input_wait_threads";
    };
  };
  input_pipeline: {
    options: "steps_from";
    summary:
      | "verdict"
      | "step_count"
      | "step_time_typical_ms"
      | "step_time_ms"
      | "slow_step_count"
      | "step_time_sd_ms"
      | "step_time_min_ms"
      | "step_time_max_ms"
      | "step_rule"
      | "step_rule_title"
      | "step_confidence"
      | "step_evidence"
      | "input_wait_ms"
      | "input_wait_typical_ms"
      | "input_wait_sd_ms"
      | "input_wait_min_ms"
      | "input_wait_max_ms"
      | "input_wait_share"
      | "batch_copy_ms"
      | "input_share"
      | "threshold_high"
      | "threshold_moderate"
      | "input_source"
      | "bottleneck_op"
      | "bottleneck_work_ms"
      | "input_work_ms"
      | "expected_step_time_ms";
    tables: {
      steps: "step" | "name" | "start_ms" | "duration_ms" | "cut" | "input_wait_ms" | "batch_copy_ms" | "rest_ms";
      host_side: "kind" | "input_work_ms" | "step_ms" | "share" | "wait_ms" | "help";
      ops:
        | "op"
        | "transformation"
        | "kind"
        | "count"
        | "total_ms"
        | "total_share"
        | "self_ms"
        | "work_share"
        | "wait_ms"
        | "function_ms"
        | "threads_mean";
    };
  };
  pod_viewer: {
    options: "steps_from" | "step" | "step_count";
    summary:
      | "hosts_with_steps"
      | "device_worker_count"
      | "worker_count"
      | "step_count"
      | "common_step_count"
      | "step_time_typical_ms"
      | "step_time_ms"
      | "slow_step_count"
      | "step_rule"
      | "step_rule_title"
      | "step_confidence"
      | "step_evidence"
      | "skew_ms"
      | "skew_share"
      | "straggler"
      | "straggler_share"
      | "lost_ms"
      | "compared_by"
      | "aligned"
      | "clock_offset_ms"
      | "clock_error_ms"
      | "clocks"
      | "shown_count"
      | "shown_first";
    tables: {
      workers:
        | "worker"
        | "host"
        | "device"
        | "steps"
        | "mean_ms"
        | "max_ms"
        | "work_ms"
        | "lag_ms"
        | "times_slowest"
        | "clock_offset_ms"
        | "bottleneck"
        | "compute_8bit_ms"
        | "compute_16bit_ms"
        | "compute_tf32_ms"
        | "compute_32bit_ms"
        | "compute_64bit_ms"
        | "compute_other_ms"
        | "op_compute_ms"
        | "collective_ms"
        | "copy_device_ms"
        | "copy_in_ms"
        | "copy_out_ms"
        | "input_wait_ms"
        | "compilation_ms"
        | "output_ms"
        | "launch_ms"
        | "host_compute_ms"
        | "runtime_ms"
        | "waiting_ms"
        | "python_ms"
        | "idle_ms"
        | "overlapped_collective_ms"
        | "peer_wait_ms"
        | "rank"
        | "cluster";
      clusters:
        "cluster" | "workers" | "differs" | "change_ms" | "distance" | "mean_ms" | "work_ms" | "lag_ms" | "named";
      steps:
        | "step"
        | "name"
        | "worker"
        | "host"
        | "device"
        | "start_ms"
        | "host_start_ms"
        | "duration_ms"
        | "cut"
        | "work_ms"
        | "bottleneck"
        | "compute_8bit_ms"
        | "compute_16bit_ms"
        | "compute_tf32_ms"
        | "compute_32bit_ms"
        | "compute_64bit_ms"
        | "compute_other_ms"
        | "op_compute_ms"
        | "collective_ms"
        | "copy_device_ms"
        | "copy_in_ms"
        | "copy_out_ms"
        | "input_wait_ms"
        | "compilation_ms"
        | "output_ms"
        | "launch_ms"
        | "host_compute_ms"
        | "runtime_ms"
        | "waiting_ms"
        | "python_ms"
        | "idle_ms"
        | "overlapped_collective_ms"
        | "peer_wait_ms"
        | "rank";
      collectives:
        | "kind"
        | "tensor"
        | "group"
        | "ranks"
        | "group_size"
        | "workers"
        | "count"
        | "bytes"
        | "mean_us"
        | "total_ms"
        | "expected_ms"
        | "algorithm_gb_s"
        | "bus_gb_s"
        | "exposed_share"
        | "overlapped_share"
        | "collective_count"
        | "skew_us"
        | "max_skew_us"
        | "peer_wait_ms"
        | "last_worker"
        | "last_share"
        | "lag_us"
        | "why_unknown";
      idle:
        | "worker"
        | "host"
        | "device"
        | "stream"
        | "gaps"
        | "span_ms"
        | "idle_ms"
        | "idle_share"
        | "host_wait_ms"
        | "kernel_wait_ms"
        | "other_wait_ms"
        | "collective_wait_ms"
        | "copy_wait_ms"
        | "stream_wait_ms"
        | "unattributed_ms"
        | "rank";
    };
  };
  op_stats: {
    options: "side" | "idle" | "by" | "limit";
    summary:
      | "ops_rows"
      | "types_rows"
      | "scopes_rows"
      | "device_op_rows"
      | "host_op_rows"
      | "device_self_ms"
      | "device_idle_ms"
      | "device_idle_share"
      | "host_self_ms"
      | "host_op_ms"
      | "host_no_op_ms"
      | "peak_tflops"
      | "peak_gb_s"
      | "outside_cpu_memory_bytes"
      | "outside_device_memory_bytes";
    tables: {
      ops:
        | "side"
        | "host"
        | "rank"
        | "name"
        | "type"
        | "module"
        | "occurrences"
        | "kernels"
        | "total_us"
        | "average_us"
        | "self_us"
        | "self_average_us"
        | "self_share"
        | "cumulative_share"
        | "gflop_s"
        | "model_gflop_s"
        | "bytes"
        | "gb_s"
        | "intensity"
        | "bound_by"
        | "roof_share"
        | "tensor_core_share"
        | "eager_share"
        | "wait_share"
        | "device_us"
        | "self_device_us"
        | "cpu_memory_bytes"
        | "self_cpu_memory_bytes"
        | "device_memory_bytes"
        | "self_device_memory_bytes";
      types:
        | "type"
        | "device_occurrences"
        | "device_self_us"
        | "device_self_share"
        | "host_occurrences"
        | "host_self_us"
        | "host_self_share";
      scopes:
        | "side"
        | "parent"
        | "depth"
        | "scope"
        | "name"
        | "ops"
        | "occurrences"
        | "total_us"
        | "self_us"
        | "self_share"
        | "calls"
        | "forward_us"
        | "backward_us";
    };
  };
  kernel_stats: {
    options: "by" | "limit";
    summary:
      | "kernels_rows"
      | "names_rows"
      | "copies_rows"
      | "graphs_rows"
      | "busy_device_count"
      | "kernel_count"
      | "kernel_ms"
      | "average_us"
      | "short_kernel_share"
      | "short_kernel_time_share"
      | "tensor_core_share"
      | "tensor_core_unknown_share"
      | "tensor_core_eligible_share"
      | "tensor_core_missed_ms"
      | "latency_p50_us"
      | "latency_p90_us"
      | "latency_p99_us"
      | "latency_count"
      | "clock_misfit_count"
      | "queue_p50_us"
      | "queue_p90_us"
      | "queue_p99_us"
      | "starved_share"
      | "copy_count"
      | "copy_ms"
      | "copied_bytes"
      | "graph_kernel_share"
      | "graph_only_ms";
    tables: {
      kernels:
        | "rank"
        | "short_name"
        | "name"
        | "host"
        | "device"
        | "occurrences"
        | "total_us"
        | "average_us"
        | "min_us"
        | "max_us"
        | "share"
        | "cumulative_share"
        | "op_name"
        | "op_type"
        | "module"
        | "tensor_core_eligible"
        | "tensor_core_used"
        | "precision"
        | "grid"
        | "block"
        | "registers"
        | "static_shared_bytes"
        | "dynamic_shared_bytes"
        | "shared_bytes"
        | "occupancy_percent"
        | "achieved_percent"
        | "blocks_per_sm"
        | "warps_per_sm"
        | "waves"
        | "suggested_block"
        | "min_grid"
        | "latency_us"
        | "queue_us"
        | "in_graph";
      names:
        | "short_name"
        | "host"
        | "device"
        | "kernel_rows"
        | "occurrences"
        | "total_us"
        | "average_us"
        | "share"
        | "cumulative_share"
        | "tensor_core_share";
      copies:
        | "kind"
        | "host"
        | "device"
        | "source"
        | "destination"
        | "async"
        | "to_device"
        | "occurrences"
        | "total_us"
        | "average_us"
        | "min_us"
        | "max_us"
        | "share"
        | "cumulative_share"
        | "size_bytes"
        | "average_size_bytes"
        | "unsized"
        | "gb_s"
        | "bus_gb_s"
        | "bus_share"
        | "compute_share"
        | "why_unknown";
      graphs: "host" | "device" | "graph" | "level" | "launches" | "nodes" | "kernels" | "total_us" | "average_us";
      durations: "duration" | "from_us" | "to_us" | "kernels" | "kernel_share" | "total_us" | "share";
      devices:
        | "host"
        | "device"
        | "vendor"
        | "model"
        | "architecture"
        | "multiprocessors"
        | "kernels"
        | "kernel_us"
        | "copies"
        | "copy_us"
        | "share"
        | "average_us"
        | "short_kernel_share"
        | "tensor_core_share";
    };
  };
  memory_profile: {
    options: "memory" | "start_ms" | "end_ms" | "pixels" | "moment" | "limit";
    summary:
      | "memory"
      | "memory_rule"
      | "memory_systems"
      | "allocations"
      | "deallocations"
      | "capacity_bytes"
      | "lifetime_peak_bytes"
      | "peak_bytes"
      | "peak_share"
      | "peak_ms"
      | "peak_step"
      | "stack_bytes"
      | "heap_bytes"
      | "free_bytes"
      | "fragmentation_share"
      | "before_bytes"
      | "unexplained_bytes"
      | "step_allocated_bytes"
      | "growth_bytes"
      | "growth_confidence"
      | "begin_ms"
      | "end_ms"
      | "peak_rows"
      | "op_rows"
      | "step_rows"
      | "stack_rows"
      | "in_use_bytes"
      | "in_use_count"
      | "in_use_devices"
      | "reserved_bytes"
      | "cached_bytes"
      | "split_bytes"
      | "largest_free_bytes"
      | "rounding_bytes"
      | "waiting_bytes"
      | "pool_bytes"
      | "unused_fragmentation_share"
      | "segment_rows"
      | "failure_rows"
      | "allocator_settings";
    tables: {
      systems:
        | "memory"
        | "host"
        | "system"
        | "kind"
        | "device"
        | "track"
        | "allocations"
        | "deallocations"
        | "capacity_bytes"
        | "lifetime_peak_bytes"
        | "peak_bytes"
        | "peak_share"
        | "peak_ms"
        | "peak_step"
        | "stack_bytes"
        | "heap_bytes"
        | "free_bytes"
        | "fragmentation_share"
        | "allocated_bytes"
        | "step_allocated_bytes"
        | "growth_bytes"
        | "live_allocations"
        | "live_bytes"
        | "before_bytes"
        | "unexplained_bytes";
      timeline:
        | "start_ms"
        | "duration_ms"
        | "events"
        | "min_bytes"
        | "max_bytes"
        | "last_bytes"
        | "time_ms"
        | "stack_bytes"
        | "heap_bytes"
        | "free_bytes"
        | "fragmentation_share"
        | "activity"
        | "op"
        | "step"
        | "address"
        | "requested_bytes"
        | "allocation_bytes"
        | "region"
        | "data_type"
        | "shape";
      categories:
        | "start_ms"
        | "duration_ms"
        | "parameter_bytes"
        | "gradient_bytes"
        | "optimizer_bytes"
        | "activation_bytes"
        | "input_bytes"
        | "communication_bytes"
        | "temporary_bytes"
        | "other_bytes"
        | "before_bytes";
      peak:
        | "kind"
        | "op"
        | "op_from"
        | "region"
        | "data_type"
        | "shape"
        | "allocation_bytes"
        | "requested_bytes"
        | "count"
        | "total_bytes"
        | "share"
        | "step"
        | "steps"
        | "age_ms";
      ops:
        | "op"
        | "op_from"
        | "allocations"
        | "allocated_bytes"
        | "allocated_share"
        | "largest_bytes"
        | "peak_allocations"
        | "peak_bytes"
        | "peak_share"
        | "mean_lifetime_us"
        | "longest_lifetime_us"
        | "live_allocations"
        | "live_bytes"
        | "kept_bytes";
      steps:
        | "step"
        | "start_ms"
        | "duration_ms"
        | "whole"
        | "begin_bytes"
        | "end_bytes"
        | "net_bytes"
        | "lowest_bytes"
        | "peak_bytes"
        | "allocations"
        | "deallocations"
        | "allocated_bytes"
        | "freed_bytes"
        | "kept_bytes";
      lifetimes: "lifetime" | "shortest_us" | "longest_us" | "allocations" | "total_bytes";
      failures:
        | "time_ms"
        | "op"
        | "asked_bytes"
        | "device_free_bytes"
        | "reserved_bytes"
        | "used_bytes"
        | "free_bytes"
        | "pieces"
        | "largest_free_bytes"
        | "in_way_bytes"
        | "in_way_blocks"
        | "in_way_op";
      segments:
        | "address"
        | "segment_bytes"
        | "used_bytes"
        | "free_bytes"
        | "largest_free_bytes"
        | "waiting_bytes"
        | "rounding_bytes"
        | "blocks"
        | "layout"
        | "op"
        | "segment_kind"
        | "pool"
        | "stream";
      stacks: "parent" | "depth" | "name" | "file" | "line" | "bytes" | "self_bytes" | "count" | "share";
    };
  };
  tf_data: {
    options: "pipeline" | "execution" | "steps_from" | "limit";
    summary:
      | "pipeline_verdict"
      | "pipeline"
      | "host"
      | "bottleneck"
      | "work"
      | "wait_step_ms"
      | "wait_share"
      | "host_step_time_ms"
      | "step_count"
      | "step_time_typical_ms"
      | "step_time_ms"
      | "slow_step_count"
      | "step_rule"
      | "step_rule_title"
      | "step_confidence"
      | "step_evidence"
      | "calls"
      | "slow_calls"
      | "chosen_pipeline"
      | "chosen_host"
      | "chosen_execution"
      | "pipelines_rows"
      | "executions_rows"
      | "bottlenecks_rows"
      | "functions_rows";
    tables: {
      pipelines:
        | "host"
        | "pipeline"
        | "wait_step_ms"
        | "wait_share"
        | "bottleneck"
        | "work"
        | "calls"
        | "mean_us"
        | "min_us"
        | "p50_us"
        | "p90_us"
        | "p99_us"
        | "max_us"
        | "slow_calls"
        | "slow_share"
        | "type"
        | "fed_by"
        | "capture_share"
        | "bottleneck_name"
        | "verdict"
        | "advice";
      executions:
        | "host"
        | "pipeline"
        | "rank"
        | "start_ms"
        | "duration_us"
        | "step"
        | "cut"
        | "bottleneck"
        | "bottleneck_us"
        | "track"
        | "start_ps"
        | "duration_ps";
      graph:
        | "parent"
        | "name"
        | "long_name"
        | "dataset"
        | "iterator_id"
        | "iterators"
        | "start_ms"
        | "duration_us"
        | "self_us"
        | "wait_us"
        | "function_us"
        | "calls"
        | "blocking_us"
        | "blocking_share"
        | "blocking"
        | "critical"
        | "bottleneck"
        | "async"
        | "wait_share"
        | "threads"
        | "threads_mean"
        | "work"
        | "parallelism"
        | "autotune"
        | "deterministic"
        | "buffer_limit"
        | "buffered_elements"
        | "cycle_length"
        | "batch_size"
        | "parameters"
        | "track"
        | "start_ps"
        | "duration_ps";
      bottlenecks:
        | "host"
        | "pipeline"
        | "stage"
        | "stage_name"
        | "share"
        | "self_ms"
        | "function_ms"
        | "work"
        | "cost"
        | "wait_step_ms"
        | "advice";
      functions: "host" | "pipeline" | "stage" | "stage_name" | "function" | "self_ms" | "share";
    };
  };
  trace_viewer: {
    options:
      | "start_ps"
      | "end_ps"
      | "origin_ns"
      | "width"
      | "tracks"
      | "tracks_from"
      | "derived"
      | "event"
      | "search"
      | "match"
      | "in"
      | "offset"
      | "area"
      | "compare"
      | "list_steps"
      | "align"
      | "shifts";
    summary:
      | "host_count"
      | "track_count"
      | "derived_track_count"
      | "event_count"
      | "origin_ns"
      | "span_start_ps"
      | "span_end_ps"
      | "window_start_ps"
      | "window_end_ps"
      | "resolution_ps"
      | "shown_count"
      | "merged_count"
      | "undrawn_count"
      | "hit_count"
      | "hit_names_rows"
      | "hit_ps"
      | "hit_text"
      | "steps_rows"
      | "step_rule"
      | "step_rule_title"
      | "step_confidence"
      | "step_evidence"
      | "shifts"
      | "area_events"
      | "area_tracks"
      | "area_busy_ps"
      | "area_names_rows"
      | "area_gaps_rows"
      | "compare_names_rows"
      | "area_flame_rows"
      | "area_bottom_up_rows";
    tables: {
      tracks: "host" | "plane" | "process" | "process_kind" | "track" | "name" | "kind" | "lanes" | "events" | "group";
      hosts: "host" | "offset_ps" | "start_ns" | "shift_ps" | "clock_ps" | "clock_error_ps" | "clock";
      steps: "host" | "number" | "name" | "start_ps" | "duration_ps" | "track" | "row";
      slices: "track" | "depth" | "start_ps" | "duration_ps" | "idle_ps" | "name" | "count" | "row";
      names: "name" | "category";
      window_tracks: "host" | "track" | "shown" | "merged";
      counter_tracks: "host" | "track" | "name" | "unit" | "samples" | "low" | "high";
      counters: "track" | "start_ps" | "min" | "max" | "last" | "count";
      event: "group" | "key" | "value";
      links: "kind" | "host" | "row" | "track" | "depth" | "start_ps" | "duration_ps" | "name" | "text";
      stack: "name" | "row" | "start_ps" | "duration_ps" | "track" | "kind";
      hits: "host" | "track" | "depth" | "start_ps" | "duration_ps" | "name" | "row";
      hit_tracks: "host" | "track" | "hits";
      hit_names: "name" | "hits" | "total_ps";
      marks: "host" | "tracks" | "start_ps" | "end_ps" | "count" | "name";
      area_names: "name" | "category" | "count" | "total_ps" | "self_ps" | "share" | "max_ps" | "host" | "row";
      area_categories: "category" | "count" | "total_ps" | "self_ps" | "share";
      area_gaps: "host" | "track" | "start_ps" | "duration_ps" | "scope" | "cause" | "text" | "host_row";
      compare_names:
        | "name"
        | "category"
        | "count_a"
        | "count_b"
        | "total_a_ps"
        | "total_b_ps"
        | "self_a_ps"
        | "self_b_ps"
        | "more_ps";
      compare_categories:
        "category" | "count_a" | "count_b" | "total_a_ps" | "total_b_ps" | "self_a_ps" | "self_b_ps" | "more_ps";
      area_flame: "parent" | "depth" | "name" | "category" | "total_ps" | "self_ps" | "count";
      area_bottom_up: "parent" | "depth" | "name" | "category" | "total_ps" | "self_ps" | "count";
    };
  };
  roofline: {
    options: "program" | "category" | "step" | "peak_tflops" | "peak_gb_s" | "steps_from" | "limit";
    summary:
      | "ops_rows"
      | "roof_step_count"
      | "roof_devices"
      | "peak_tflops"
      | "peak_gb_s"
      | "ridge"
      | "figures_from"
      | "step_roof_share"
      | "step_compute_share"
      | "step_memory_share"
      | "bound_by"
      | "ideal_share"
      | "hbm_bound_share"
      | "compute_bound_share"
      | "only_wait_share"
      | "unknown_share"
      | "idle_share";
    tables: {
      ops:
        | "rank"
        | "name"
        | "shapes"
        | "program"
        | "category"
        | "precision"
        | "occurrences"
        | "total_us"
        | "self_us"
        | "op_time_share"
        | "total_share"
        | "gflop_s"
        | "hbm_gb_s"
        | "cmem_gb_s"
        | "vmem_gb_s"
        | "intensity"
        | "bound_by"
        | "roof_share"
        | "compute_share"
        | "memory_share"
        | "above_roof"
        | "costs_from";
      steps:
        | "step"
        | "devices"
        | "time_ms"
        | "op_share"
        | "known_share"
        | "feed_ms"
        | "gflop_s"
        | "hbm_gb_s"
        | "intensity"
        | "bound_by"
        | "roof_share"
        | "compute_share"
        | "memory_share";
      roofs: "device" | "roof" | "peak_gflop_s" | "peak_gb_s" | "ridge" | "figures_from";
      programs: "program" | "self_us" | "self_share" | "executions" | "instructions" | "size_bytes";
    };
  };
  op_profile: {
    options: "by" | "program" | "idle" | "limit";
    summary: "profile_rows" | "shown_side" | "self_ms" | "idle_ms" | "wasted_ms" | "flop_share" | "memory_share";
    tables: {
      profile:
        | "side"
        | "parent"
        | "depth"
        | "kind"
        | "name"
        | "path"
        | "program"
        | "instruction"
        | "category"
        | "self_us"
        | "self_share"
        | "flop_share"
        | "memory_share"
        | "wasted_us"
        | "wasted_share"
        | "occurrences"
        | "instructions"
        | "flops"
        | "bytes"
        | "padding_share"
        | "padding_flops"
        | "padding_bytes"
        | "padded_sizes"
        | "op_name"
        | "source"
        | "operands"
        | "users"
        | "expression";
      programs: "program" | "self_us" | "self_share" | "executions" | "instructions" | "size_bytes";
    };
  };
  hlo_stats: {
    options: "side" | "program" | "category" | "source" | "limit";
    summary:
      | "instructions_rows"
      | "categories_rows"
      | "program_count"
      | "device_instruction_ms"
      | "host_instruction_ms"
      | "other_self_ms"
      | "device_idle_ms"
      | "flop_share"
      | "memory_share";
    tables: {
      instructions:
        | "side"
        | "rank"
        | "instruction"
        | "program"
        | "category"
        | "op_name"
        | "op_type"
        | "source"
        | "occurrences"
        | "kernels"
        | "total_us"
        | "average_us"
        | "self_us"
        | "self_average_us"
        | "self_share"
        | "cumulative_share"
        | "gflop_s"
        | "model_gflop_s"
        | "bytes"
        | "gb_s"
        | "hbm_bytes"
        | "vmem_bytes"
        | "cmem_bytes"
        | "other_bytes"
        | "intensity"
        | "bound_by"
        | "roof_share"
        | "stall_share"
        | "padding_share"
        | "padding_flops"
        | "padding_bytes"
        | "padding_bytes_share"
        | "padded_sizes"
        | "rematerialized"
        | "outside"
        | "autotuned"
        | "expression";
      categories: "side" | "category" | "instructions" | "occurrences" | "self_us" | "self_share";
      programs: "program" | "self_us" | "self_share" | "executions" | "instructions" | "size_bytes";
    };
  };
  memory_viewer: {
    options: "program" | "space" | "points" | "limit";
    summary:
      | "program"
      | "space"
      | "program_peak_bytes"
      | "peak_instruction"
      | "peak_place"
      | "peak_event"
      | "peak_op"
      | "peak_source"
      | "logical_bytes"
      | "padding_bytes"
      | "allocated_bytes"
      | "device_memory_bytes"
      | "device_memory_share"
      | "parameter_bytes"
      | "output_bytes"
      | "temporary_bytes"
      | "constant_bytes"
      | "held_bytes"
      | "donation_bytes"
      | "recompute_bytes"
      | "scheduled_instructions"
      | "curve_rows"
      | "buffer_rows"
      | "op_rows";
    tables: {
      curve: "event" | "place" | "instruction" | "change" | "live_bytes" | "logical_bytes" | "op";
      buffers:
        | "instruction"
        | "kind"
        | "bytes"
        | "peak_share"
        | "shape"
        | "op"
        | "source"
        | "first"
        | "last"
        | "saves"
        | "saved_bytes"
        | "logical_bytes"
        | "padding_bytes"
        | "padded_sizes"
        | "at_peak"
        | "opcode"
        | "first_place"
        | "last_place"
        | "values"
        | "allocation"
        | "offset_bytes";
      ops: "op" | "bytes" | "peak_share" | "buffers" | "source";
      spaces:
        | "space"
        | "memory"
        | "peak_bytes"
        | "allocated_bytes"
        | "parameter_bytes"
        | "output_bytes"
        | "temporary_bytes"
        | "constant_bytes"
        | "thread_local_bytes"
        | "unshared_bytes"
        | "buffers"
        | "simulated";
      savings: "means" | "bytes" | "peak_share" | "buffers" | "what";
      programs: "program" | "self_us" | "self_share" | "executions" | "instructions" | "size_bytes";
    };
  };
  graph_viewer: {
    options: "program" | "instruction" | "radius" | "nodes" | "fusions" | "open" | "search";
    summary:
      | "program"
      | "instruction"
      | "opcode"
      | "category"
      | "shape"
      | "op"
      | "source"
      | "computation"
      | "callers"
      | "expression"
      | "self_us"
      | "program_share"
      | "executions"
      | "instructions"
      | "is_whole"
      | "left_out"
      | "closed"
      | "matches_rows";
    tables: {
      nodes:
        | "parent"
        | "name"
        | "opcode"
        | "category"
        | "shape"
        | "op"
        | "source"
        | "computation"
        | "self_us"
        | "program_share"
        | "executions"
        | "distance"
        | "is_root"
        | "is_open"
        | "can_open"
        | "calls"
        | "operands"
        | "users"
        | "hidden_operands"
        | "hidden_users"
        | "expression";
      edges: "from" | "to" | "operand" | "shape" | "from_row" | "to_row";
      operands:
        | "operand"
        | "name"
        | "opcode"
        | "shape"
        | "op"
        | "source"
        | "self_us"
        | "program_share"
        | "executions"
        | "through";
      users:
        | "name"
        | "opcode"
        | "operand"
        | "shape"
        | "op"
        | "source"
        | "self_us"
        | "program_share"
        | "executions"
        | "through";
      matches:
        | "name"
        | "opcode"
        | "category"
        | "shape"
        | "op"
        | "source"
        | "computation"
        | "self_us"
        | "program_share"
        | "executions";
      programs: "program" | "self_us" | "self_share" | "executions" | "instructions" | "size_bytes";
    };
  };
  python_profile: {
    options: "function" | "sort" | "limit";
    summary:
      | "total_ms"
      | "calls"
      | "primitive_calls"
      | "functions_rows"
      | "gpu_wait_ms"
      | "gpu_wait_share"
      | "peer_wait_share"
      | "other_wait_share"
      | "sleep_share"
      | "function"
      | "callers_rows"
      | "callees_rows"
      | "tree_rows"
      | "estimated"
      | "ranks_rows"
      | "slowest_host"
      | "busy_excess_ms";
    tables: {
      functions:
        | "function"
        | "calls"
        | "primitive_calls"
        | "own_ms"
        | "own_share"
        | "own_call_us"
        | "cumulative_ms"
        | "cumulative_share"
        | "cumulative_call_us"
        | "waits"
        | "name"
        | "file"
        | "line";
      callers: "function" | "calls" | "primitive_calls" | "own_ms" | "cumulative_ms" | "cumulative_share";
      callees: "function" | "calls" | "primitive_calls" | "own_ms" | "cumulative_ms" | "cumulative_share";
      tree: "name" | "parent" | "depth" | "total_ms" | "own_ms" | "share" | "estimated" | "function" | "file" | "line";
      ranks:
        | "function"
        | "spread_ms"
        | "mean_ms"
        | "min_ms"
        | "max_ms"
        | "sd_ms"
        | "spread_share"
        | "slowest"
        | "fastest"
        | "waits";
      hosts:
        "host" | "total_ms" | "python_work_ms" | "gpu_wait_ms" | "collective_wait_ms" | "other_wait_ms" | "sleep_ms";
    };
  };
  compare: {
    options: "steps_from";
    summary:
      | "base"
      | "new"
      | "step_time_base_ms"
      | "step_time_new_ms"
      | "step_time_change_ms"
      | "step_time_change_share"
      | "change_low_ms"
      | "change_high_ms"
      | "verdict"
      | "captures_base"
      | "captures_new"
      | "steps_base"
      | "steps_new"
      | "left_out_base"
      | "left_out_new"
      | "launches_base"
      | "launches_new"
      | "memory_peak_base_bytes"
      | "memory_peak_new_bytes";
    tables: {
      categories: "category" | "title" | "group" | "base_ms" | "new_ms" | "change_ms" | "change_of_step_share";
      ops:
        | "name"
        | "type"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "category"
        | "match"
        | "found_as"
        | "change_of_step_share"
        | "base_times"
        | "new_times"
        | "was";
      kernels: "name" | "change_ms" | "base_ms" | "new_ms" | "match" | "found_as" | "base_times" | "new_times" | "was";
      tree:
        | "name"
        | "parent"
        | "category"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "change_of_step_share"
        | "larger_ms"
        | "match"
        | "found_as"
        | "op"
        | "was";
      scopes:
        | "name"
        | "parent"
        | "category"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "change_of_step_share"
        | "larger_ms"
        | "match"
        | "found_as"
        | "op"
        | "was"
        | "marked";
      counts: "count" | "title" | "of" | "unit" | "change" | "base" | "new" | "change_of_base_share";
      inputs:
        | "name"
        | "type"
        | "kind"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "base_wait_ms"
        | "new_wait_ms"
        | "base_times"
        | "new_times"
        | "match"
        | "was"
        | "event";
      collectives:
        | "name"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "base_bytes"
        | "new_bytes"
        | "base_times"
        | "new_times"
        | "match"
        | "was"
        | "event";
      hosts:
        | "name"
        | "own_change_ms"
        | "own_base_ms"
        | "own_new_ms"
        | "change_ms"
        | "base_ms"
        | "new_ms"
        | "base_steps"
        | "new_steps"
        | "match"
        | "was";
      memory: "name" | "kind" | "change_bytes" | "base_bytes" | "new_bytes";
      steps: "side" | "capture" | "step" | "number" | "start_ms" | "duration_ms";
      conditions: "fact" | "base" | "new" | "differs";
    };
  };
  runs: {
    options: never;
    summary: never;
    tables: {
      runs:
        | "run"
        | "step_time_ms"
        | "step_time_sd_ms"
        | "change_share"
        | "baseline_change_share"
        | "first_finding"
        | "device_busy_share"
        | "input_wait_share"
        | "peak_memory_bytes"
        | "step_count"
        | "host_count"
        | "device"
        | "framework"
        | "change_verdict"
        | "baseline_verdict"
        | "captured_ms"
        | "findings"
        | "failed";
    };
  };
}

export type ToolName = keyof Declared;
export type TableOf<T extends ToolName> = keyof Declared[T]["tables"] & string;
export type ColumnOf<T extends ToolName, N extends TableOf<T>> = Declared[T]["tables"][N] & string;
export type SummaryOf<T extends ToolName> = Declared[T]["summary"];

type ColumnsOf<T extends ToolName> = { [N in TableOf<T>]: ColumnOf<T, N> }[TableOf<T>];

/** Of any tool. */
export type TableName = { [T in ToolName]: TableOf<T> }[ToolName];
export type ColumnName = { [T in ToolName]: ColumnsOf<T> }[ToolName];
export type SummaryName = { [T in ToolName]: SummaryOf<T> }[ToolName];
export type OptionName = { [T in ToolName]: Declared[T]["options"] }[ToolName];
