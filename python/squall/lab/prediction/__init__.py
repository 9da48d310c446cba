"""Makes machine files from measurements, and checks the predictions of `squall plan` on this machine."""
