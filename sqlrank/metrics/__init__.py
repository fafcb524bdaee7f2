"""What is measured: the catalogue of metrics, and the texts that ask for one."""
