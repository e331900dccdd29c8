import Testing

@testable import FramePipeline

@Suite struct SystemCoresTests {
    private static func count(_ groups: String = "", allowed: String = "0-7", _ files: [String: String] = [:]) -> Int {
        SystemCores.count(online: 8, status: "Name:\tserve\nCpus_allowed_list:\t\(allowed)\n", groups: groups) {
            files[$0]
        }
    }

    @Test func withoutARestrictionTheyAreTheMachines() {
        #expect(Self.count() == 8)
        #expect(Self.count("0::/a/b\n") == 8)
        #expect(Self.count("nonsense\n\n::\n", ["/sys/fs/cgroup/cpu.max": "nonsense"]) == 8)
        #expect(SystemCores.count(online: 8, status: "", groups: "") { _ in nil } == 8)
    }

    @Test(arguments: [("0", 1), ("0-1", 2), ("1-2,5,7", 4), ("0-127", 8), ("", 8), ("none", 8)])
    func processorAffinityCounts(list: String, count: Int) {
        #expect(Self.count(allowed: list) == count)
    }

    @Test func theNarrowestQuotaOnTheWayCounts() {
        let files = [
            "/sys/fs/cgroup/system.slice/cpu.max": "max 100000\n",
            "/sys/fs/cgroup/system.slice/glyphwire.service/cpu.max": "250000 100000\n",
            "/sys/fs/cgroup/other/cpu.max": "1000 100000\n",
        ]
        #expect(Self.count("0::/system.slice/glyphwire.service\n", files) == 3, "a part of a core is one")
        #expect(Self.count("0::/system.slice/glyphwire.service\n", allowed: "0", files) == 1)
        #expect(Self.count("0::/system.slice/glyphwire.service/session\n", files) == 3)
        #expect(Self.count("0::/system.slice\n", files) == 8)
    }

    @Test func aContainerFindsItsOwnAtTheTop() {
        #expect(Self.count("0::/\n", ["/sys/fs/cgroup/cpu.max": "200000 100000\n"]) == 2)
        #expect(Self.count("0::/\n", ["/sys/fs/cgroup/cpu.max": "10000 100000\n"]) == 1)
    }

    @Test func groupsOfTheOlderKindCountToo() {
        let groups = "5:cpu,cpuacct:/c\n4:memory:/m\n0::/\n"
        let folder = "/sys/fs/cgroup/cpu"
        func files(_ group: String, quota: String) -> [String: String] {
            ["\(folder)\(group)/cpu.cfs_quota_us": quota, "\(folder)\(group)/cpu.cfs_period_us": "50000\n"]
        }
        #expect(Self.count(groups, files("/c", quota: "-1\n")) == 8)
        #expect(Self.count(groups, files("/c", quota: "100000\n")) == 2)
        #expect(Self.count(groups, files("", quota: "200000\n")) == 4)
        #expect(Self.count(groups, files("/m", quota: "50000\n")) == 8)
    }

    @Test func thisProcessHasSome() {
        #expect(SystemCores.count >= 1)
    }
}
