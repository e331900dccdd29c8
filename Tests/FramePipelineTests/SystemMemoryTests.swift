import Testing

@testable import FramePipeline

@Suite struct SystemMemoryTests {
    private static func limit(_ groups: String, _ files: [String: String]) -> Int {
        SystemMemory.limit(groups: groups, machine: 8 << 30) { files[$0] }
    }

    @Test func withoutGroupsItIsTheMachines() {
        #expect(Self.limit("", [:]) == 8 << 30)
        #expect(Self.limit("0::/a/b\n", [:]) == 8 << 30)
        #expect(Self.limit("nonsense\n\n::\n", ["/sys/fs/cgroup/memory.max": "nonsense"]) == 8 << 30)
    }

    @Test func theNarrowestGroupOnTheWayCounts() {
        let files = [
            "/sys/fs/cgroup/a/memory.max": "1073741824\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
            "/sys/fs/cgroup/other/memory.max": "1\n",
        ]
        #expect(Self.limit("0::/a/b\n", files) == 1 << 30)
    }

    @Test func aContainerFindsItsOwnAtTheTop() {
        #expect(Self.limit("0::/\n", ["/sys/fs/cgroup/memory.max": "536870912\n"]) == 512 << 20)
    }

    @Test func groupsOfTheOlderKindCountToo() {
        let groups = "5:cpu,cpuacct:/c\n4:memory:/m\n0::/\n"
        let folder = "/sys/fs/cgroup/memory"
        let none = "9223372036854771712\n"
        #expect(Self.limit(groups, ["\(folder)/m/memory.limit_in_bytes": none]) == 8 << 30)
        #expect(Self.limit(groups, ["\(folder)/m/memory.limit_in_bytes": "268435456\n"]) == 256 << 20)
        #expect(Self.limit(groups, ["\(folder)/memory.limit_in_bytes": "268435456\n"]) == 256 << 20)
    }

    @Test func thisProcessHasSome() {
        #expect(SystemMemory.limit > 64 << 20)
    }
}
