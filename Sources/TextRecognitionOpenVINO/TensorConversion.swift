internal import COpenVINO

extension OpenVINORuntime {
    /// Adds conversions to a model: from rows of bytes to planes of numbers, and to the output's number format.
    ///
    /// The network's first layer then reads bytes in its own order of calculation, which saves writing four times as
    /// many bytes and reordering them; and a bfloat16 output is not widened.
    ///
    /// - Parameters:
    ///   - model: A model with an input of pictures x 3 x height x width, still owned by the caller.
    ///   - file: How the model is run.
    /// - Returns: A model with an input of pictures x height x width x 3 bytes, which the caller must free.
    /// - Throws: ``OpenVINOError`` if the runtime rejects the model.
    func converting(_ model: OpaquePointer?, of file: ModelFile) throws(OpenVINOError) -> OpaquePointer? {
        var processor: OpaquePointer?
        try unsafe checked("prepare a model", ov_preprocess_prepostprocessor_create(model, &processor))
        defer { unsafe ov_preprocess_prepostprocessor_free(processor) }
        try unsafe Self.takeBytes(processor, file.normalization)
        var count = 0
        try unsafe checked("count a model's outputs", ov_model_outputs_size(model, &count))
        for index in 0..<count { try unsafe Self.setOutput(index, of: processor, to: file.outputPrecision) }
        var built: OpaquePointer?
        try unsafe checked("build a model", ov_preprocess_prepostprocessor_build(processor, &built))
        return unsafe built
    }

    private static func takeBytes(
        _ processor: OpaquePointer?,
        _ normalization: Normalization
    ) throws(OpenVINOError) {
        var input: OpaquePointer?
        try unsafe checked(
            "find a model's input",
            ov_preprocess_prepostprocessor_get_input_info_by_index(processor, 0, &input)
        )
        defer { unsafe ov_preprocess_input_info_free(input) }
        try unsafe Self.describe(input)
        try unsafe Self.normalize(input, normalization)
    }

    private static func setOutput(
        _ index: Int,
        of processor: OpaquePointer?,
        to precision: Precision
    ) throws(OpenVINOError) {
        var output: OpaquePointer?
        try unsafe checked(
            "find a model's output",
            ov_preprocess_prepostprocessor_get_output_info_by_index(processor, index, &output)
        )
        defer { unsafe ov_preprocess_output_info_free(output) }
        var tensor: OpaquePointer?
        try unsafe checked("describe an output", ov_preprocess_output_info_get_tensor_info(output, &tensor))
        defer { unsafe ov_preprocess_output_tensor_info_free(tensor) }
        let type =
            switch precision {
            case .float32: F32
            case .bfloat16: BF16
            }
        try unsafe checked("set the output's element type", ov_preprocess_output_set_element_type(tensor, type))
    }

    /// Describes the layout of the bytes and of the model's input.
    private static func describe(_ input: OpaquePointer?) throws(OpenVINOError) {
        var tensor: OpaquePointer?
        try unsafe checked("describe an input", ov_preprocess_input_info_get_tensor_info(input, &tensor))
        defer { unsafe ov_preprocess_input_tensor_info_free(tensor) }
        try unsafe checked("set the input's element type", ov_preprocess_input_tensor_info_set_element_type(tensor, U8))
        try unsafe Self.withLayout("NHWC") { layout in
            unsafe ov_preprocess_input_tensor_info_set_layout(tensor, layout)
        }
        var model: OpaquePointer?
        try unsafe checked("describe a model", ov_preprocess_input_info_get_model_info(input, &model))
        defer { unsafe ov_preprocess_input_model_info_free(model) }
        try unsafe Self.withLayout("NCHW") { layout in
            unsafe ov_preprocess_input_model_info_set_layout(model, layout)
        }
    }

    private static func normalize(_ input: OpaquePointer?, _ normalization: Normalization) throws(OpenVINOError) {
        var steps: OpaquePointer?
        try unsafe checked("prepare an input", ov_preprocess_input_info_get_preprocess_steps(input, &steps))
        defer { unsafe ov_preprocess_preprocess_steps_free(steps) }
        try unsafe checked("convert bytes to numbers", ov_preprocess_preprocess_steps_convert_element_type(steps, F32))
        try unsafe checked(
            "subtract the mean",
            ov_preprocess_preprocess_steps_mean_multi_channels(steps, normalization.mean, 3)
        )
        try unsafe checked(
            "divide by the deviation",
            ov_preprocess_preprocess_steps_scale_multi_channels(steps, normalization.deviation, 3)
        )
    }

    private static func withLayout(
        _ name: String,
        _ body: (OpaquePointer?) -> ov_status_e
    ) throws(OpenVINOError) {
        var layout: OpaquePointer?
        try unsafe checked("describe the layout \(name)", ov_layout_create(name, &layout))
        defer { unsafe ov_layout_free(layout) }
        try unsafe checked("set the layout \(name)", body(layout))
    }
}
