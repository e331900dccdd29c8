"""Runs checks at the same time, since most of their time is waiting, and reports them in their order."""

from concurrent.futures import ThreadPoolExecutor

from .program import Skipped


def run(checks, jobs, report):
    """Runs so many of the checks at once: pairs of a name and what raises AssertionError where something is wrong."""
    pool = ThreadPoolExecutor(jobs)
    try:
        started = [(name, pool.submit(check)) for name, check in checks]
        for name, check in started:
            try:
                check.result()
            except Skipped as reason:
                report.skip(name, str(reason))
            except AssertionError as error:
                report(name, str(error))
            except Exception as error:  # what came was so wrong that the check could not go on
                report(name, f"{type(error).__name__}: {error}")
            else:
                report(name, None)
    finally:
        pool.shutdown(cancel_futures=True)
