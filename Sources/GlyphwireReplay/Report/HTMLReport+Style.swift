extension HTMLReport {
    /// Colour-blind safe palette, each colour in a shade for light and for dark mode.
    static let style = """
        :root { color-scheme: light dark;
          --page: #fbfbfa; --card: #ffffff; --ink: #1d2126; --soft: #5c6670; --rule: #e3e5e8; --shade: #eceef1;
          --c1: #0b63b0; --c2: #d1600a; --c3: #0a8567; --c4: #a5336f; --c5: #5d6773; --c6: #c69214; --c7: #6fa8d8;
          --c8: #9aa3ad; }
        @media (prefers-color-scheme: dark) { :root {
          --page: #15181c; --card: #1d2126; --ink: #e8eaed; --soft: #a0a9b3; --rule: #333a42; --shade: #262c33;
          --c1: #5aa9f0; --c2: #f2934a; --c3: #3fc7a2; --c4: #e079b0; --c5: #a9b3bd; --c6: #e7be55; --c7: #3d75a8;
          --c8: #6c7681; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
        header, main { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
        header { padding-top: 32px; }
        h1 { font-size: 26px; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
        h2 { font-size: 20px; margin: 28px 0 8px; }
        h3 { font-size: 16px; margin: 28px 0 4px; }
        p { margin: 4px 0 12px; }
        header p, figcaption p, footer p { color: var(--soft); }
        .tiles { list-style: none; margin: 20px 0; padding: 0; display: grid; gap: 12px;
          grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
        .tiles li { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 12px 14px; }
        .tiles span, .tiles small { display: block; color: var(--soft); font-size: 13px; }
        .tiles strong { display: block; font-size: 24px; line-height: 1.3; font-weight: 600;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
        .plots { display: grid; gap: 16px; margin-top: 16px;
          grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); }
        figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 14px 16px;
          display: flex; flex-direction: column; min-width: 0; }
        figcaption h3 { margin: 0; }
        figcaption p { font-size: 13px; margin: 2px 0 8px; }
        figure svg { width: 100%; height: auto; display: block; }
        .legend { list-style: none; margin: 6px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 16px;
          font-size: 13px; }
        .legend i { display: inline-block; width: 18px; margin-right: 6px; vertical-align: middle; }
        .legend i[class^="l"] { border-top: 2.5px solid; }
        .legend i.dashed { border-top-style: dashed; }
        .legend i[class^="b"] { width: 11px; height: 11px; border-radius: 2px; vertical-align: -1px; }
        svg text { fill: var(--soft); font-size: 15px; font-variant-numeric: tabular-nums; }
        svg .x { text-anchor: middle; }
        svg .y { text-anchor: end; dominant-baseline: central; }
        svg .grid { stroke: var(--rule); }
        svg .axis, svg .tick { stroke: var(--soft); }
        svg .shaded { fill: var(--shade); }
        svg path { fill: none; stroke-width: 2; stroke-linejoin: round; }
        svg path:not(.dashed) { stroke-linecap: round; }
        svg path.dashed { stroke-dasharray: 5 4; }
        svg path.broad { stroke-width: 7; opacity: .35; }
        .legend i.broad { border-top-width: 7px; opacity: .35; }
        \((1...8).map { ".b\($0) { fill: var(--c\($0)); background: var(--c\($0)); } " 
            + "path.l\($0) { stroke: var(--c\($0)); } i.l\($0) { border-color: var(--c\($0)) !important; } " 
            + ".p\($0) { fill: var(--c\($0)); }" }.joined(separator: "\n"))
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { padding: 5px 10px; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
        th:first-child { text-align: left; }
        thead th { color: var(--soft); font-weight: 500; font-size: 13px; }
        tbody th { font-weight: 400; }
        .notice, .finding { border-left: 3px solid var(--c2); background: var(--card); padding: 8px 14px; }
        .finding { border-color: var(--c3); font-size: 17px; }
        details { margin-top: 16px; border: 1px solid var(--rule); border-radius: 8px; padding: 10px 16px; }
        summary { cursor: pointer; }
        footer { margin: 36px 0 32px; padding-top: 16px; border-top: 1px solid var(--rule); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
          padding: 10px 14px; font-size: 13px; }
        @media print { details { break-inside: avoid; } figure { break-inside: avoid; } }
        """
}
