import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import type { SourceLanguage } from '../syntax/grammar.ts';
import { countAssertions } from './count-assertions.ts';

async function count(language: SourceLanguage, text: string): Promise<Record<string, number>> {
  const counted = await countAssertions(language, text);
  expect(counted?.sure).toBe(true);
  return Object.fromEntries(counted?.tests ?? []);
}

const PYTHON = `import pytest, unittest

def close_to(a, b):
    assert abs(a - b) < 1
    assert a != b

def test_plain():
    assert add(1, 2) == 3
    with pytest.raises(ValueError):
        add(None)

def test_helped():
    close_to(add(1, 2), 3)

def test_true():
    assert True
    assert 1 == 1, "always"

class Sums(unittest.TestCase):
    def test_case(self):
        self.assertEqual(add(1, 2), 3)
        self.assertTrue(True)
        mock.assert_called_once()

    def test_empty(self):
        add(1, 2)
`;

it('in Python statements, methods of unittest, raises and helpers of the file count, truths of literals do not', async () => {
  expect(await count('python', PYTHON)).toEqual({
    test_plain: 2,
    test_helped: 2,
    test_true: 0,
    test_case: 2,
    test_empty: 0,
  });
});

const SCRIPT = `import assert from 'node:assert';
const same = (a, b) => { assert.equal(a, b); };
function assertNothing(a) {}
describe('sums', () => {
  it('expects', async () => {
    expect(add(1, 2)).toBe(3);
    await expect(later()).resolves.toEqual([1]);
    expect(add(1, 2));
    expect(true).toBe(true);
    expect.assertions(2);
  });
  test.each([1, 2])('table %s', (n) => { assert.deepStrictEqual(add(n), n); });
  it('helped', () => { same(add(1), 1); assertNothing(add(1)); });
  test('styles', (t) => {
    add(1).should.equal(2);
    value.should.equal(2);
    t.is(add(1), 2);
    t.plan(1);
    request(app).get('/').expect(200);
    if (add(1) > 2) assert.fail('too much');
    console.error(add(1));
  });
  it('empty', () => { add(1, 2); });
});
`;

it.each([
  'javascript',
  'typescript',
  'tsx',
] as const)('in %s the common styles of assertions count', async (language) => {
  expect(await count(language, SCRIPT)).toEqual({
    "'expects'": 2,
    "'table %s'": 1,
    "'helped'": 1,
    "'styles'": 5,
    "'empty'": 0,
  });
});

it('in TypeScript types do not hide assertions', async () => {
  const text = 'it(`adds`, (): void => {\n  expect<number>(add(1 as number)).toBe(2);\n});\n';
  expect(await count('typescript', text)).toEqual({ '`adds`': 1 });
});

const GO = `package a

func near(t *testing.T, a, b int) {
	if a != b {
		t.Fatalf("%d", a)
	}
}

func TestErrors(t *testing.T) {
	if add(1) != 2 {
		t.Errorf("wrong")
	}
	t.Run("inner", func(t *testing.T) {
		require.NoError(t, run())
		assert.Equal(t, 1, 1)
		near(t, add(1), 2)
	})
	log.Fatal("no")
}

func TestEmpty(t *testing.T) { t.Log(add(1)) }
func helper() {}
`;

it('in Go failures, testify and helpers count', async () => {
  expect(await count('go', GO)).toEqual({ TestErrors: 3, TestEmpty: 0 });
});

const JAVA = `class SumTest {
  @Test void adds() { assertEquals(3, add(1, 2)); assertThat(add(1)).isEqualTo(1); assert add(1) > 0; }
  @Test(expected = Bad.class) public void fails() { add(null); }
  @ParameterizedTest @ValueSource(ints = {1}) void mocks(int n) { verify(mock).called(n); Assertions.assertTrue(true); }
  @org.junit.Test public void empty() { add(1); assertThat(add(1)); }
  void helper() { assertTrue(add(1)); }
}
`;

it('in Java assertions, verified mocks and expected exceptions count', async () => {
  expect(await count('java', JAVA)).toEqual({ adds: 3, fails: 1, mocks: 1, empty: 0 });
});

const RUST = `fn add(a: u8) -> u8 { assert!(a > 0); a }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::plus(1), 2); assert!(true); insta::assert_snapshot!(value); }
    #[tokio::test]
    #[should_panic(expected = "x")]
    async fn panics() { plus(0); }
    #[test]
    fn empty() { plus(1); }
}
`;

it('in Rust macros of tests and panics that should be count, those of the product do not', async () => {
  expect(await count('rust', RUST)).toEqual({ adds: 2, panics: 1, empty: 0 });
});

const RUBY = `describe Sum do
  it "expects" do
    expect(add(1)).to eq 2
    expect { add(nil) }.to raise_error(ArgumentError)
    expect(true).to be true
  end
  it { is_expected.to be_valid }
  specify("empty") { add(1) }
end
class SumTest < Minitest::Test
  def test_adds
    assert_equal 2, add(1)
    refute add(2)
    assert true
    add(1).must_equal 2
  end
end
`;

it('in Ruby the styles of RSpec and Minitest count', async () => {
  const counted = await count('ruby', RUBY);
  expect(Object.values(counted)).toEqual([2, 1, 0, 3]);
  expect(counted).toMatchObject({ '"expects"': 2, '"empty"': 0, test_adds: 3 });
});

it('in PHP and C# the assertions of their runners count', async () => {
  const php =
    '<?php class SumTest { public function testAdds() { $this->assertSame(2, $sum->add(1)); self::assertTrue(true); } #[Test] function empty() { add(1); } } test("pest", function () { expect(add(1))->toBe(2); });';
  expect(await count('php', php)).toEqual({ testAdds: 1, empty: 0, '"pest"': 1 });
  const csharp =
    'class T { [Fact] public void Adds() { Assert.Equal(2, Add(1)); Add(1).Should().Be(2); } [Test] public void Empty() { Add(1); } }';
  expect(await count('csharp', csharp)).toEqual({ Adds: 2, Empty: 0 });
});

async function idle(language: SourceLanguage, text: string): Promise<string[]> {
  const counted = await countAssertions(language, text);
  expect(counted?.sure).toBe(true);
  for (const name of counted?.idle ?? []) expect(counted?.tests.get(name)).toBe(0);
  return [...(counted?.idle ?? [])];
}

it.each([
  "it.skip('a', () => { expect(f()).toBe(1); });",
  "it.fails('a', () => { expect(f()).toBe(1); });",
  "test.failing('a', () => { expect(f()).toBe(1); });",
  "test.todo('a', () => { expect(f()).toBe(1); });",
  "xit('a', () => { expect(f()).toBe(1); });",
  "it.skip.each([1])('a', () => { expect(f()).toBe(1); });",
  "it.skipIf(true)('a', () => { expect(f()).toBe(1); });",
  "it.runIf(false)('a', () => { expect(f()).toBe(1); });",
  "test('a', { todo: true }, () => { expect(f()).toBe(1); });",
  "test('a', { skip: 'later' }, () => { expect(f()).toBe(1); });",
  "describe.skip('s', () => { it('a', () => { expect(f()).toBe(1); }); });",
  "xdescribe('s', () => { describe('t', () => { it('a', () => { expect(f()).toBe(1); }); }); });",
  "describe('s', { skip: true }, () => { it('a', () => { expect(f()).toBe(1); }); });",
  "it('a', () => { expect(f()).toBe(1); }); it.only('b', () => { expect(f()).toBe(1); });",
  "it('a', () => { expect(f()).toBe(1); }); fit('b', () => {});",
  "it('a', () => { expect(f()).toBe(1); }); describe.only('s', () => { it('b', () => {}); });",
])('in JavaScript this test is not counted: %s', async (text) => {
  expect(await idle('javascript', text)).toEqual(["'a'"]);
});

it.each([
  "it.skipIf(process.platform === 'win32')('a', () => { expect(f()).toBe(1); });",
  "test('a', { skip: isWindows }, () => { expect(f()).toBe(1); });",
  "test('a', { skip: false }, () => { expect(f({ skip: true })).toBe(1); });",
  "it.only('a', () => { expect(f()).toBe(1); });",
  "it('a', (t) => { if (none) { return; } if (less) t.skip(); expect(f()).toBe(1); });",
  "it('a', () => { try { f(); } catch (e) { expect(e).toBe(1); } });",
  "it('a', () => { try { expect(f()).toBe(1); } finally { g(); } });",
  "it('a', () => { [1].map(() => { return 1; }); expect(f()).toBe(1); });",
])('in JavaScript this test is counted: %s', async (text) => {
  expect(await idle('javascript', text)).toEqual([]);
  expect(await count('javascript', text)).toEqual({ "'a'": 1 });
});

it.each<[SourceLanguage, string]>([
  ['python', '@pytest.mark.xfail(reason="x")\ndef test_a():\n    assert f()\n'],
  ['python', '@pytest.mark.skip\ndef test_a():\n    assert f()\n'],
  ['python', '@unittest.skipIf(True, "x")\ndef test_a():\n    assert f()\n'],
  [
    'python',
    'class A(TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertTrue(f())\n',
  ],
  ['python', '@unittest.skip("x")\nclass A(TestCase):\n    def test_a(self):\n        self.assertTrue(f())\n'],
  ['python', 'pytestmark = pytest.mark.skip\ndef test_a():\n    assert f()\n'],
  ['java', 'class A { @Disabled @Test void a() { assertTrue(f()); } }'],
  ['java', '@Disabled("x") class A { @Test void a() { assertTrue(f()); } }'],
  ['java', 'class A { @Test(enabled = false) void a() { assertTrue(f()); } }'],
  ['rust', '#[test]\n#[ignore = "x"]\nfn a() { assert!(f()); }'],
  ['csharp', 'class A { [Fact(Skip = "x")] public void A1() { Assert.True(F()); } }'],
  ['csharp', 'class A { [Test, Ignore("x")] public void A1() { Assert.True(F()); } }'],
  ['csharp', '[Ignore("x")] class A { [Test] public void A1() { Assert.True(F()); } }'],
  ['go', '//go:build ignore\n\npackage a\nfunc TestA(t *testing.T) { if f() { t.Error() } }'],
  ['ruby', 'xit "a" do\n  expect(f).to eq 1\nend'],
  ['ruby', 'xdescribe "s" do\n  it "a" do\n    expect(f).to eq 1\n  end\nend'],
])('in %s this test is not counted: %s', async (language, text) => {
  expect(await idle(language, text)).toHaveLength(1);
});

it.each<[SourceLanguage, string]>([
  ['javascript', "it('a', () => { return; expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { if (false) { expect(f()).toBe(1); } });"],
  ['javascript', "it('a', (t) => { t.skip(); t.is(f(), 1); });"],
  ['javascript', "it('a', function () { this.skip(); expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { process.exit(0); expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { try { expect(f()).toBe(1); } catch {} });"],
  ['typescript', "it('a', () => { try { expect(f()).toBe(1); } catch (e) { /* well */ } });"],
  ['python', 'def test_a():\n    return\n    assert f()\n'],
  ['python', 'def test_a():\n    if False:\n        assert f()\n'],
  ['python', 'def test_a():\n    pytest.skip("x")\n    assert f()\n'],
  ['python', 'def test_a(self):\n    raise unittest.SkipTest("x")\n    assert f()\n'],
  ['python', 'def test_a():\n    try:\n        assert f()\n    except Exception:\n        pass\n'],
  ['python', 'def test_a():\n    assert (f() == 1, "always true")\n'],
  ['go', 'package a\nfunc TestA(t *testing.T) { t.Skip("x"); if f() { t.Error() } }'],
  ['go', 'package a\nfunc TestA(t *testing.T) {\n\treturn\n\tif f() {\n\t\tt.Error()\n\t}\n}'],
  ['java', 'class A { @Test void a() { if (false) { assertTrue(f()); } } }'],
  ['java', 'class A { @Test void a() { try { assertTrue(f()); } catch (Throwable t) { } } }'],
  ['rust', '#[test]\nfn a() { return; assert!(f()); }'],
  ['rust', '#[test]\nfn a() { if false { assert!(f()); } }'],
  ['ruby', 'it "a" do\n  skip\n  expect(f).to eq 1\nend'],
  ['ruby', 'it "a" do\n  skip "x"\n  expect(f).to eq 1\nend'],
  ['ruby', 'def test_a\n  return\n  assert f\nend'],
  ['php', '<?php class A { function testA() { $this->markTestSkipped("x"); $this->assertTrue(f()); } }'],
  ['php', '<?php class A { function testA() { return; $this->assertTrue(f()); } }'],
  ['csharp', 'class A { [Test] public void A1() { return; Assert.True(F()); } }'],
  ['csharp', 'class A { [Test] public void A1() { try { Assert.True(F()); } catch { } } }'],
  ['javascript', "it('a', () => { while (false) { expect(f()).toBe(1); } });"],
  ['javascript', "it('a', () => { if (1 > 2) { expect(f()).toBe(1); } });"],
  ['javascript', "it('a', () => { if (true) { f(); } else { expect(f()).toBe(1); } });"],
  ['javascript', "it('a', () => { false && expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { true || expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { for (const x of []) { expect(x).toBe(1); } });"],
  ['javascript', "it('a', () => { true ? f() : expect(f()).toBe(1); });"],
  ['javascript', "it('a', () => { try { expect(f()).toBe(1); } catch (e) { console.log(e); } });"],
  ['javascript', "it('a', () => { try { expect(f()).toBe(1); } finally { return; } });"],
  ['javascript', "it('a', () => expect(f()).resolves.toBe(1).catch(() => {}));"],
  ['javascript', "it('a', () => expect(f()).resolves.toBe(1).catch(() => undefined));"],
  ['typescript', "it('a', () => { const check = () => { expect(f()).toBe(1); }; f(); });"],
  ['typescript', "it('a', () => { function check() { expect(f()).toBe(1); } f(); });"],
  ['python', 'def test_a():\n    while False:\n        assert f()\n'],
  ['python', 'def test_a():\n    for x in []:\n        assert f(x)\n'],
  ['python', 'def test_a():\n    with contextlib.suppress(AssertionError):\n        assert f()\n'],
  ['python', 'def test_a():\n    try:\n        assert f()\n    except AssertionError as e:\n        print(e)\n'],
  ['python', 'def test_a():\n    def check():\n        assert f()\n    f()\n'],
  ['ruby', 'it "a" do\n  expect(f).to eq 1 rescue nil\nend'],
  ['ruby', 'it "a" do\n  begin\n    expect(f).to eq 1\n  rescue => e\n    puts e\n  end\nend'],
  ['java', 'class A { @Test void a() { try { assertTrue(f()); } catch (Throwable t) { t.printStackTrace(); } } }'],
])('in %s an assertion that is never reached or heard is none: %s', async (language, text) => {
  expect(Object.values(await count(language, text))).toEqual([0]);
});

it.each<[SourceLanguage, string]>([
  ['javascript', "it('a', () => { expect(f()).toBe(f()); });"],
  ['javascript', "it('a', () => { assert.strictEqual(f(1), f(1)); });"],
  ['javascript', "it('a', () => { expect(f() || true).toBeTruthy(); });"],
  ['javascript', "it('a', () => { assert.ok(f() || true); });"],
  ['python', 'def test_a():\n    assert f() == f()\n'],
  ['python', 'def test_a():\n    assert f() == 1 or True\n'],
  ['python', 'class A:\n    def test_a(self):\n        self.assertEqual(f(), f())\n'],
  ['ruby', 'def test_a\n  assert_equal f(1), f(1)\nend'],
  ['java', 'class A { @Test void a() { assertEquals(f(), f()); } }'],
  ['csharp', 'class A { [Test] public void A1() { Assert.Equal(F(), F()); } }'],
])('in %s an assertion that cannot fail is none: %s', async (language, text) => {
  expect(Object.values(await count(language, text))).toEqual([0]);
});

it.each<[SourceLanguage, string]>([
  ['javascript', "it('a', () => { const check = () => { expect(f()).toBe(1); }; check(); });"],
  ['javascript', "it('a', () => { try { expect(f()).toBe(1); } catch (e) { console.log(e); throw e; } });"],
  ['javascript', "it('a', () => { let seen; try { expect(f()).toBe(1); } catch (e) { seen = e; } g(seen); });"],
  ['javascript', "it('a', () => { while (true) { expect(f()).toBe(1); break; } });"],
  ['javascript', "it('a', () => { f() && expect(f()).toBe(g()); });"],
  ['javascript', "it('a', () => { expect(f() || g()).toBe(1); });"],
  ['javascript', "it('a', () => { for (const x of list) expect(x).toBe(1); });"],
  ['python', 'def test_a():\n    with suppressed():\n        assert f()\n'],
  ['python', 'def test_a(client):\n    @client.on\n    def seen():\n        assert f()\n    client.go()\n'],
  ['python', 'def test_a():\n    try:\n        assert f()\n    except Bad as e:\n        print(e)\n        raise\n'],
  ['java', 'class A { @Test void a() { try { assertTrue(f()); } finally { g(); } } }'],
])('in %s this assertion counts: %s', async (language, text) => {
  expect(Object.values(await count(language, text))).toEqual([1]);
});

it('a test that another of its name replaces is never run', async () => {
  expect(await count('python', 'def test_a():\n    assert f()\n\ndef test_a():\n    f()\n')).toEqual({
    test_a: 0,
    'test_a (2)': 0,
  });
  const classes = 'class TestA:\n  def test_a(self):\n    assert f()\n\nclass TestA:\n  def test_a(self):\n    f()\n';
  expect(await count('python', classes)).toEqual({ test_a: 0, 'test_a (2)': 0 });
  const ruby = 'class A\n  def test_a\n    assert f\n  end\n  def test_a\n    f\n  end\nend\n';
  expect(await count('ruby', ruby)).toEqual({ test_a: 0, 'test_a (2)': 0 });
});

it.each<[SourceLanguage, string]>([
  ['javascript', "it.each([])('a', (x) => { expect(f(x)).toBe(1); });"],
  ['javascript', "describe.each([])('s', (x) => { it('a', () => { expect(f(x)).toBe(1); }); });"],
  ['python', '@pytest.mark.parametrize("x", [])\ndef test_a(x):\n    assert f(x)\n'],
  ['python', '@pytest.mark.skipif(1 == 1, reason="x")\ndef test_a():\n    assert f()\n'],
])('in %s a test for nothing is not counted: %s', async (language, text) => {
  expect(await idle(language, text)).toHaveLength(1);
});

it('tests of one name are told apart', async () => {
  const text = 'class A:\n  def test_a(self):\n    assert a\nclass B:\n  def test_a(self):\n    pass\n';
  expect(await count('python', text)).toEqual({ test_a: 1, 'test_a (2)': 0 });
});

it('what the grammar cannot read is counted without being sure, and languages without tests not at all', async () => {
  expect(await countAssertions('python', 'def test_a(:\n    assert a\n')).toMatchObject({ sure: false });
  expect(await countAssertions('css', 'a {}')).toBeUndefined();
});

it('functions that call each other, and long chains of them, come to an end', async () => {
  const chain = Array.from({ length: 5000 }, (_, n) => `def f${n}():\n    f${n + 1}()\n    f${n + 1}()\n`).join('');
  const text = `${chain}def f5000():\n    f0()\n    assert x\ndef test_a():\n    f0()\n    f4999()\n`;
  expect(await count('python', text)).toEqual({ test_a: 2 });
});

it('a large text is counted with little work', async () => {
  const text = `def test_a():\n${'    assert add(1, 2) == 3\n'.repeat(20_000)}`;
  const work = workMeter();
  expect(await count('python', text)).toEqual({ test_a: 20_000 });
  const nested = `def test_a():\n    ${'check('.repeat(20_000)}x${')'.repeat(20_000)}\n`;
  expect(await count('python', nested)).toEqual({ test_a: 1 });
  expect(work()).toBeLessThan(3000);
});
