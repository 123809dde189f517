# Records which methods a Ruby program runs: `ROOT=folder OUT=rows.tsv ruby -r ./tracepoint.rb ...`
#
# Writes rows of: file of the call, its line, called name, file of the method, line of its `def`; the last two are empty outside ROOT.
# Only calls in files below ROOT are written, `new` as a call of `initialize`.

root = File.realpath(ENV.fetch("ROOT")) + "/"
rows = {}
own_process = Process.pid
trace = TracePoint.new(:call, :c_call) do |point|
  if point.event == :c_call
    path, line = point.path, point.lineno
    next unless path.start_with?(root)
    rows[[path, line, point.method_id, nil, nil]] = true
  else
    place = caller_locations(2, 1)&.first
    path = place&.absolute_path || place&.path
    next unless path&.start_with?(root)
    target = point.path.start_with?(root)
    rows[[path, place.lineno, point.method_id, target ? point.path : nil, target ? point.lineno : nil]] = true
  end
end
at_exit do
  next unless Process.pid == own_process
  at_exit do
    trace.disable
    File.write(ENV.fetch("OUT"), rows.keys.map { |row|
      [row[0].delete_prefix(root), row[1], row[2], row[3]&.delete_prefix(root), row[4]].join("\t")
    }.join("\n"))
  end
end
trace.enable
