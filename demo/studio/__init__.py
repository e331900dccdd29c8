"""What demo/make_session.py films: typeset objects, their surroundings, a hand-held camera, a recorded screen."""
