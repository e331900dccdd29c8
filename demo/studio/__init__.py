"""What demo/make_session.py renders: typeset objects, their surroundings, a hand-held camera, a recorded screen."""
