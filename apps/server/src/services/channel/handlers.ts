import { channelRoutes } from '@tollgate/contract/channel'
import { channelInsightRoutes } from '@tollgate/contract/channel-insight'
import { channelKeyRoutes } from '@tollgate/contract/channel-key'
import { channelLessonRoutes } from '@tollgate/contract/channel-lesson'
import { type BoundRoute, bind } from '../handler.ts'
import { updateBalance } from './balance.ts'
import { copyChannel, createChannel } from './create.ts'
import { explainRoute } from './explain.ts'
import { fetchModels, fetchModelsByForm } from './fetch-models.ts'
import { fixChannels } from './fix.ts'
import { getChannel, listOrSearchChannels } from './list.ts'
import { channelHealth } from './health.ts'
import { addKeys, listKeys, removeKeys, setStatusOfKeys } from './key-list.ts'
import { forgetLessons, listLessons } from './lessons.ts'
import { searching } from '../searches.ts'
import { listEnabledModels, listModels, listTypes } from './models.ts'
import { removeBatchOfChannels, removeChannel, removeDisabledChannels } from './remove.ts'
import { renewKey } from './renew-key.ts'
import { revealChannelKey } from './reveal.ts'
import type { ChannelServices } from './services.ts'
import { testAll, updateBalances } from './start-jobs.ts'
import { disableTag, enableTag, setStatusOfBatch, tagBatchOfChannels, updateTag } from './tags.ts'
import { testChannel } from './probe.ts'
import { updateChannel } from './update.ts'

export function channelHandlers(services: ChannelServices): readonly BoundRoute[] {
  return [
    bind(channelRoutes.list, searching(services, listOrSearchChannels)),
    bind(channelRoutes.search, searching(services, listOrSearchChannels)),
    bind(channelRoutes.get, getChannel(services)),
    bind(channelRoutes.create, createChannel(services)),
    bind(channelRoutes.update, updateChannel(services)),
    bind(channelRoutes.copy, copyChannel(services)),
    bind(channelRoutes.reveal, revealChannelKey(services)),
    bind(channelRoutes.remove, removeChannel(services)),
    bind(channelRoutes.removeDisabled, removeDisabledChannels(services)),
    bind(channelRoutes.removeBatch, removeBatchOfChannels(services)),
    bind(channelRoutes.enableTag, enableTag(services)),
    bind(channelRoutes.disableTag, disableTag(services)),
    bind(channelRoutes.updateTag, updateTag(services)),
    bind(channelRoutes.tagBatch, tagBatchOfChannels(services)),
    bind(channelRoutes.fix, fixChannels(services)),
    bind(channelRoutes.types, listTypes(services)),
    bind(channelRoutes.models, listModels(services)),
    bind(channelRoutes.modelsEnabled, listEnabledModels(services)),
    bind(channelRoutes.fetchModels, fetchModels(services)),
    bind(channelRoutes.fetchModelsByForm, fetchModelsByForm(services)),
    bind(channelRoutes.test, testChannel(services)),
    bind(channelRoutes.testAll, testAll(services)),
    bind(channelRoutes.updateBalance, updateBalance(services)),
    bind(channelRoutes.updateBalances, updateBalances(services)),
    bind(channelRoutes.statusBatch, setStatusOfBatch(services)),
    bind(channelKeyRoutes.list, listKeys(services)),
    bind(channelKeyRoutes.add, addKeys(services)),
    bind(channelKeyRoutes.setStatus, setStatusOfKeys(services)),
    bind(channelKeyRoutes.remove, removeKeys(services)),
    bind(channelKeyRoutes.renew, renewKey(services)),
    bind(channelLessonRoutes.list, listLessons(services)),
    bind(channelLessonRoutes.forget, forgetLessons(services)),
    bind(channelInsightRoutes.health, channelHealth(services)),
    bind(channelInsightRoutes.explain, explainRoute(services)),
  ]
}
