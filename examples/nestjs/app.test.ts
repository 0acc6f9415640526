import 'reflect-metadata';
import test from 'node:test';
import { NestFactory } from '@nestjs/core';
import { checkOrders } from '../check-orders.ts';
import { AppModule } from './app.ts';

test('orders behind a guard of NestJS', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  await checkOrders(await app.getUrl());
  await app.close();
});
