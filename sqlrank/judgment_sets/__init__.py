"""Systems compared under several sets of judgments, such as people's and a language model's."""
