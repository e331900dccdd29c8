internal import COpenVINO
func probe() { var core: OpaquePointer?; _ = unsafe ov_core_create(&core) }
