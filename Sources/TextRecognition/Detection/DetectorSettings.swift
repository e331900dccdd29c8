/// Settings of the detection stage: the scale of its input and the thresholds of its postprocessing.
///
/// Comments name the pictures on which a number was chosen, and the section of a log that has the figures. Some have none.
struct DetectorSettings: Sendable {
    /// Binarization threshold: a pixel of higher probability belongs to a text kernel.
    ///
    /// Chosen together with ``unclipRatio`` out of twelve pairs on street scenes, web graphics and forms (accuracy
    /// log, *Tighter line boxes*). At 0.3, faint lines fall to pieces between words and lose their ends.
    var binarizationThreshold: Float = 0.15
    /// Minimum score of a text kernel: the mean probability of its pixels.
    ///
    /// 0.45 and 0.4 gave the same words (accuracy log, *Tighter line boxes*).
    var minBoxScore: Float = 0.5
    /// Unclip ratio: a kernel grows by this multiple of its area over its perimeter.
    ///
    /// See ``binarizationThreshold``: a lower threshold gives larger kernels, which have to grow less.
    var unclipRatio: Float = 1.1
    /// Minimum short side of a kernel's box, in pixels of the probability map.
    ///
    /// The `min_size` of PaddleOCR's DB postprocessing; not measured here.
    var minBoxSide: Float = 3
    /// Factor on the scale that the limits below give.
    ///
    /// Each recognition level chooses its own. 0.8 for 1 takes two thirds of the detector's time and costs 0.01 of the words
    /// on forms (accuracy log, *Smaller detector input, recognition cascade and character boxes from ink*).
    var scale: Float = 1
    /// Short side, in pixels of the map, up to which smaller pictures are enlarged.
    ///
    /// Lowered from PaddleOCR's 736; no figures are recorded.
    var minShortSide = 640
    /// Maximum enlargement of a small picture.
    ///
    /// Beyond it, letters fill the network's receptive field and fall apart into several lines. No figures are recorded.
    var maxEnlargement: Float = 2
    /// Long side, in pixels of the map, to which larger pictures are reduced.
    ///
    /// The long side of a strip counts only as far as ``maxAspectRatio`` says. Not measured against other lengths.
    var maxLongSide = DetectionPlan.maxInputSide
    /// Maximum aspect ratio: a picture's long side counts as no more than this multiple of the short one.
    ///
    /// Long screenshots and tickers are many screens in a row, with letters as small as those of one screen. Screens are up
    /// to 2.2 times as high as wide (phones, 2026), photographs and paper less than 1.8 times.
    var maxAspectRatio: Float = 2
    /// Maximum number of pixels in all inputs for one picture; larger pictures are reduced to it.
    ///
    /// It is the size of an 8K frame and bounds the time of a frame: 34 megapixels are 36 frames of 1280 x 720.
    var maxArea = 7680 * 4320
    /// Height of the lowest requested lines, in pixels of the map, where a request states a minimum text height.
    ///
    /// Its effect was measured on one 8K page (accuracy log, *Small text in large pictures*); other heights were not measured.
    var targetLineHeight: Float = 20
    /// Margin of a small picture, which may be cut off closely around its text, on each side in pixels of the map.
    ///
    /// Of 80 words cut off without a margin, `fast` read 26 wrongly, and 1 with a margin of 13 pixels in the colour of the border (6
    /// in gray, 22 with the pixels of the edge repeated; accuracy log, *Pictures that were drawn to fail*).
    var closeMargin = 12
    /// Whether a second scan at a smaller scale detects lines whose letters are larger than the network's receptive field.
    var scansForLargeLines = true
    /// Settings of a coarse scan, which proposes where text may be, for a full scan at these settings to look closely.
    ///
    /// Half the scale takes a quarter of the time and less. The thresholds are low, since a proposal too many costs little and
    /// one too few is a text that is not seen (streams log, *A coarse scan where much changes*).
    var coarse: DetectorSettings {
        var coarse = self
        coarse.scale = self.scale / 2
        coarse.targetLineHeight = self.targetLineHeight / 2
        coarse.minReducedShortSide = self.minReducedShortSide / 2
        coarse.binarizationThreshold = 0.1
        // Of the lines of a full scan 0.97 score more, and 0.95 more than 0.4. The two other thresholds have no figures.
        coarse.minBoxScore = 0.15
        coarse.minBoxSide = 2
        coarse.scansForLargeLines = false
        // Proposals are rough, and the margin would cost a third of a small frame's scan.
        coarse.closeMargin = 0
        return coarse
    }
    /// Minimum short side, in pixels of the map, to which a request for large text alone reduces a picture.
    ///
    /// Not measured.
    var minReducedShortSide = 160
}
