"""The notebooks of docs/examples, executed from their first cell to their last."""

import os
import unittest

import nbclient
import nbformat

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")


class Notebooks(unittest.TestCase):
    def run_notebook(self, name):
        notebook = nbformat.read(os.path.join(FOLDER, name + ".ipynb"), as_version=4)
        self.assertTrue(all(not cell.get("outputs") for cell in notebook.cells), "stored without results")
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
        return notebook

    def test_the_notebook_that_compares_solvers_runs(self):
        self.run_notebook("compare_solvers")

    def test_the_notebook_of_the_drape_of_fabrics_runs(self):
        self.run_notebook("drape_test")

    def test_the_notebook_of_a_garment_on_an_animated_body_runs(self):
        self.run_notebook("garment_on_a_body")

    def test_each_notebook_is_run_by_a_test(self):
        stems = {name[:-6] for name in os.listdir(FOLDER) if name.endswith(".ipynb")}
        self.assertEqual(stems, {"compare_solvers", "drape_test", "garment_on_a_body"})


if __name__ == "__main__":
    unittest.main()
