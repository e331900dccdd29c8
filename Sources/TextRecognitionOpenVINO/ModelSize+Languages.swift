extension ModelSize {
    /// Languages in the recogniser's alphabet of whose letters beyond a to z it reads less than 0.9.
    ///
    /// Measured by `bench/languages`, whose result is `bench/results/languages.json`.
    var misreadLanguages: Set<String> {
        switch self {
        case .tiny: ["az", "cs", "et", "hu", "is", "lt", "lv", "ro", "sk", "tr"]
        case .small: ["az", "cs", "hu", "is", "ro", "sk", "tr"]
        }
    }
}
