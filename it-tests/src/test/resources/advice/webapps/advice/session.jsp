session
