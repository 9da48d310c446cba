"""What `squall plan` predicts, held to this machine: a machine file from measurements, and a check of it."""
