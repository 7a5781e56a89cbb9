import type { Job } from '../jobs/job.ts'
import { openS3Store } from '../jobs/s3/s3-store.ts'
import { langfuseSink } from '../jobs/sinks/langfuse-sink.ts'
import { natsSink } from '../jobs/sinks/nats-sink.ts'
import { s3Sink } from '../jobs/sinks/s3-sink.ts'
import { sinkJob } from '../jobs/sinks/sink-job.ts'
import { webhookSink } from '../jobs/sinks/webhook-sink.ts'
import type { PlaneParts } from './base.ts'

const OFTEN = { everyMs: 5_000, rowsAtOnce: 500 }
/** A store of objects is paid by the request. */
const EACH_MINUTE = { everyMs: 60_000, rowsAtOnce: 5_000 }

/** A job for each receiver of the usage log, so that one that is down holds up no other. */
export function logSinkJobs(parts: PlaneParts): readonly Job[] {
  const { installation } = parts
  return listSinkJobs(parts).map((job) => ({
    ...job,
    // Its position stays, so that a confirmed copy continues there.
    run: async (context) => (installation.isConfirmed ? job.run(context) : {}),
  }))
}

function listSinkJobs({ store, logs, clock, egress, settings }: PlaneParts): readonly Job[] {
  const parts = { logs: logs ?? store.db, clock }
  return [
    sinkJob({
      ...parts,
      ...OFTEN,
      name: 'log-webhook',
      sink: () => {
        const url = settings.get('LogWebhookUrl')
        return url === '' ? undefined : webhookSink({ url, secret: settings.get('LogWebhookSecret') }, egress)
      },
    }),
    sinkJob({
      ...parts,
      ...EACH_MINUTE,
      name: 'log-s3',
      sink: () => {
        const address = settings.get('LogS3Address')
        const region = settings.get('LogS3Region')
        const [accessKey, secret] = [settings.get('LogS3Key'), settings.get('LogS3Secret')]
        return address === ''
          ? undefined
          : s3Sink(openS3Store({ address, region, accessKey, secret }, egress))
      },
    }),
    sinkJob({
      ...parts,
      ...OFTEN,
      name: 'log-nats',
      sink: () => {
        const address = settings.get('LogNatsAddress')
        const subject = settings.get('LogNatsSubject')
        const [user, password] = [settings.get('LogNatsUser'), settings.get('LogNatsPassword')]
        return address === '' ? undefined : natsSink({ address, subject, user, password }, egress)
      },
    }),
    sinkJob({
      ...parts,
      ...OFTEN,
      name: 'log-langfuse',
      sink: () => {
        const address = settings.get('LangfuseAddress')
        const [publicKey, secretKey] = [settings.get('LangfusePublicKey'), settings.get('LangfuseSecretKey')]
        return address === '' ? undefined : langfuseSink({ address, publicKey, secretKey }, egress)
      },
    }),
  ]
}
