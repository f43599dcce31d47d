import assert from 'node:assert';
import { test } from 'node:test';
import { toCsv } from '../src/export.js';

test('one line for each row', () => assert.equal(toCsv(['a', 'b']).toString(), 'a\nb'));
