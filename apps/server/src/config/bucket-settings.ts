import { plain } from './kinds.ts'
import type { Setting } from './kinds.ts'

/**
 * The standard variables of AWS, for `tollgate restore` from a bucket: a new machine has no settings in a database
 * yet. Scheduled backups use the settings of the site.
 */
export const bucketSettings = {
  bucketKey: plain({
    name: 'AWS_ACCESS_KEY_ID',
    default: '',
    allowed: 'an access key',
    help: 'Access key of the bucket that tollgate restore fetches a backup from.',
  }),
  bucketSecret: {
    ...plain({
      name: 'AWS_SECRET_ACCESS_KEY',
      default: '',
      allowed: 'the secret of the access key',
      help: 'The secret of AWS_ACCESS_KEY_ID.',
    }),
    isSecret: true,
  },
  bucketRegion: plain({
    name: 'AWS_REGION',
    default: 'us-east-1',
    allowed: 'a region',
    help: 'Region of that bucket. Many S3-compatible stores accept any.',
  }),
} as const satisfies Record<string, Setting>
