import { address } from '../address-kinds.ts'
import { cronPattern } from '../cron-kind.ts'
import { integer, secret, text } from '../kinds.ts'
import { section } from '../section.ts'

export const backupSection = section({
  key: 'backup',
  title: { en: 'Backups', zh: '自动备份' },
  purpose: {
    en: 'Copies of the embedded database at set times, each audited before it counts.',
    zh: '按设定的时间备份内置数据库，每份备份都会先核对账本。',
  },
  finds: [{ en: 'S3 bucket', zh: 'S3 存储桶' }],
  // Whoever chooses the destination receives every account and every encrypted key.
  isGuarded: true,
  settings: {
    BackupTimes: cronPattern({
      label: { en: 'Times', zh: '备份时间' },
      help: {
        en: 'A cron pattern: 30 3 * * * is every day at 03:30, 0 */6 * * * every six hours. Empty: only on request, on the page of background jobs.',
        zh: 'cron 表达式：30 3 * * * 表示每天 03:30，0 */6 * * * 表示每六小时。留空则仅在后台任务页手动运行。',
      },
    }),
    BackupKeep: integer(14, {
      min: 1,
      max: 1000,
      label: { en: 'Copies to keep', zh: '保留份数' },
      help: {
        en: 'Older copies are removed from the folder and the bucket after a new one is there.',
        zh: '新备份完成后，文件夹和存储桶中更早的备份会被删除。',
      },
    }),
    BackupFolder: text('', 1024, {
      label: { en: 'Folder', zh: '备份文件夹' },
      help: {
        en: 'A folder on the server that exists, best on another disk. Empty: no copy is kept here.',
        zh: '服务器上已存在的文件夹，最好位于另一块磁盘。留空则不保存到本机。',
      },
    }),
    BackupS3Address: address('', {
      label: { en: 'S3 address', zh: 'S3 地址' },
      help: {
        en: 'Server, bucket and folder: https://s3.eu-central-1.amazonaws.com/my-bucket/tollgate. Works with every store that speaks S3. Empty: nothing is uploaded.',
        zh: '服务器、存储桶和目录：https://s3.eu-central-1.amazonaws.com/my-bucket/tollgate。支持所有兼容 S3 的存储。留空则不上传。',
      },
    }),
    BackupS3Region: text('us-east-1', 64, {
      label: { en: 'S3 region', zh: 'S3 区域' },
      help: { en: 'As the store names it.', zh: '存储服务所使用的区域名称。' },
    }),
    BackupS3Key: text('', 256, {
      label: { en: 'S3 access key', zh: 'S3 访问密钥 ID' },
      help: {
        en: 'It needs the rights to list, write and delete objects in that folder.',
        zh: '需要该目录的列出、写入和删除权限。',
      },
    }),
    BackupS3Secret: secret({
      label: { en: 'S3 secret', zh: 'S3 访问密钥' },
      help: { en: 'Stored encrypted.', zh: '加密存储。' },
    }),
  },
})
