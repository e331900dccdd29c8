extension ModelSize {
    /// Languages in the recognizer's alphabet with a recall below 0.9 for letters beyond a to z.
    ///
    /// Measured by `bench/languages`, whose result is `bench/results/languages.json`.
    var misreadLanguages: Set<String> {
        switch self {
        case .tiny: ["az", "cs", "et", "hu", "is", "lt", "lv", "ro", "sk", "tr"]
        case .small: ["az", "cs", "hu", "is", "ro", "sk", "tr"]
        }
    }
}
