import Ajv from 'ajv';

/** What appendix B of the concept demands of approval-result.json. */
const APPENDIX_B = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['result', 'confidence', 'findings'],
  properties: {
    approval_id: { type: 'string' },
    approval_type: { type: 'string' },
    result: { type: 'string', enum: ['approved', 'rejected', 'needs_revision'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['severity', 'check', 'message'],
        properties: {
          severity: { enum: ['error', 'warning', 'info'] },
          check: { type: 'string' },
          message: { type: 'string' },
          location: { type: 'string' },
        },
      },
    },
    recommendations: { type: 'array', items: { type: 'string' } },
    agent_context: {
      type: 'object',
      properties: {
        model: { type: 'string' },
        duration_seconds: { type: 'number' },
        tokens_used: { type: 'integer' },
      },
    },
  },
};

const validate = new Ajv({ allErrors: true }).compile(APPENDIX_B);

/** What is wrong with a document by that schema. */
export function schemaErrors(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ dataPath, message }) => `${dataPath}: ${message}`);
}
