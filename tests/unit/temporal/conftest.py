from hypothesis import settings

settings.register_profile("shared-machine", deadline=None)  # time is tested where it is meant
settings.load_profile("shared-machine")
