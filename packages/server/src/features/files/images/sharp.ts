import sharp from 'sharp';

// Of the formats the library can read, only those that can be stored; its other decoders never see a byte.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
// One thread for each image, and few images at once: the node has other calls to serve.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
