"""Which of several rankers people prefer, of lists to which each of them gave picks."""
