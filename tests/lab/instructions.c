/* SPDX-License-Identifier: MIT */
/* A plugin of QEMU that counts the instructions of a program and prints "instructions N" to stderr when it ends.
 *
 *     cc -shared -fPIC instructions.c -o instructions.so
 *     qemu-aarch64 -plugin instructions.so PROGRAM
 *
 * The declarations are those of QEMU's qemu-plugin.h, version 1, which Debian does not package. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id;
struct qemu_plugin_tb;
struct qemu_info;
enum { ADD_U64 = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id id, void (*f)(qemu_plugin_id, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block, int operation, void* counter, uint64_t by);
void qemu_plugin_register_atexit_cb(qemu_plugin_id id, void (*f)(qemu_plugin_id, void*), void* data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);

EXPORT int qemu_plugin_version = 1;

static uint64_t instructions;

static void count_block(qemu_plugin_id id, struct qemu_plugin_tb* block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &instructions, qemu_plugin_tb_n_insns(block));
}

static void print(qemu_plugin_id id, void* data) {
    (void)id;
    (void)data;
    fprintf(stderr, "instructions %" PRIu64 "\n", instructions);
}

EXPORT int qemu_plugin_install(qemu_plugin_id id, const struct qemu_info* info, int argc, char** argv) {
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, count_block);
    qemu_plugin_register_atexit_cb(id, print, NULL);
    return 0;
}
