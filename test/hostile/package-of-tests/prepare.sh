mkdir tests
touch tests/__init__.py
echo 'def add(a, b): return a + b' > calc.py
cat > tests/test_calc.py <<'TEST'
import unittest
from calc import add
class Calc(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)
TEST
git add -A
git commit -qm tests
